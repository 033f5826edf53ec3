# perfdiff: build, check and test. "make check test" is what CI runs.

export CGO_ENABLED = 0
# The profile that every go build and go install of the program finds, so that all who have
# it have it fast, is left out of tests and checks: they would compile everything once more.
export GOFLAGS := $(GOFLAGS) -pgo=off
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
ACTIONLINT = github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
AXE = axe-core@4.14.1
FUZZTIME ?= 1m
REALRUNS ?= 12
DAMAGES ?= 200

.PHONY: build size first check test cluster slurm data golden bench pgo fuzz damage rates adversary mutate real tools demo browser axe echarts dist clean

# Without tables for debuggers, which are a quarter of it, and without paths of this
# machine. A plain "go build ./cmd/perfdiff" keeps both.
BUILD = go build -pgo=auto -trimpath -ldflags='-s -w'
build:
	$(BUILD) -o perfdiff ./cmd/perfdiff

# The size of the program as it is built above, against the most that it may be, in bytes: the
# four packages that it is built on are in it, SQLite the largest of them.
SIZE = 32000000
size:
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && $(BUILD) -o "$$dir/perfdiff" ./cmd/perfdiff && \
	n=$$(wc -c <"$$dir/perfdiff") && echo "perfdiff: $$n bytes of at most $(SIZE)" && [ $$n -le $(SIZE) ] || \
	{ echo "look for what grew: go list -deps ./cmd/perfdiff; go tool nm -size -sort size"; exit 1; }

# What the first build costs where nothing was built before: the bytes that are downloaded for it,
# against the most that they may be, and processor time. Without a network they are taken from
# what is here: make first FROM="file://$$(go env GOMODCACHE)/cache/download". About a minute.
DOWNLOAD = 95000000
FROM ?= $(shell go env GOPROXY)
first:
	@set -e; dir=$$(mktemp -d); trap 'chmod -R u+w "$$dir"; rm -rf "$$dir"' EXIT; \
	export GOPROXY="$(FROM)" GOMODCACHE="$$dir/modules" GOCACHE="$$dir/compiled"; \
	$(BUILD) -o "$$dir/perfdiff" ./cmd/perfdiff; times >"$$dir/times"; \
	seconds=$$(tail -n 1 "$$dir/times" | tr ms '  ' | awk '{ printf "%.0f", 60 * ($$1 + $$3) + $$2 + $$4 }'); \
	n=$$(find "$$dir/modules/cache/download" -name '*.zip' -o -name '*.mod' -o -name '*.info' | xargs cat | wc -c); \
	echo "the first build: $$n bytes downloaded of at most $(DOWNLOAD), $$seconds s of processor time"; \
	if [ $$n -gt $(DOWNLOAD) ]; then echo "look for large modules: go list -deps -f '{{with .Module}}{{.Path}}{{end}}' ./cmd/perfdiff | sort -u"; exit 1; fi

# What a sample comparison looks like: no GPU and no data needed.
demo: build
	rm -rf demo
	./perfdiff demo demo
	./perfdiff demo/baseline demo/candidate -o report.html
	@echo "open report.html in a browser"

# Where nobody tests: the program and its tests compile there. Seconds each, and two minutes of
# processor time the first time, for everything is compiled.
FOREIGN = windows/amd64 darwin/arm64

check: size
	@out=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "gofmt these files:"; echo "$$out"; exit 1; fi
	go vet ./... ./testdata
	@set -e; for platform in $(FOREIGN); do echo "go vet for $$platform"; \
	GOOS=$${platform%/*} GOARCH=$${platform#*/} go vet ./... ./testdata; done
	go run $(STATICCHECK) ./... ./testdata
	go run $(ACTIONLINT) -shellcheck= -pyflakes= -ignore 'label "gpu" is unknown' .github/examples/github*.yml
	go test -count=1 -run 'TestImports|TestLinked|TestTopLevel' ./cmd/perfdiff

# Pages are opened in a browser here, and not by a plain "go test ./...", which then keeps to go's
# own time limit. The limit here only ends what hangs: beside thirty other processes two cores take
# ten minutes for the page tests, which take one alone.
OPEN_PAGES = if [ "$$PERFDIFF_NO_BROWSER" != 1 ]; then export PERFDIFF_BROWSER=1; fi
test: browser slurm .axe/axe.min.js
	@if [ -s .axe/axe.min.js ]; then export PERFDIFF_AXE="$(CURDIR)/.axe/axe.min.js"; fi; \
	$(OPEN_PAGES); if [ "$$PERFDIFF_NO_CLUSTER" != 1 ]; then export PERFDIFF_CLUSTER=1; fi; \
	echo go test -timeout 2h ./... ./testdata; go test -timeout 2h ./... ./testdata

# What checks that pages can be used by everybody. Where npm cannot fetch it, that is said and
# its test left out.
.axe/axe.min.js:
	@mkdir -p .axe && cd .axe && { npm pack --silent $(AXE) >/dev/null && tar xzf axe-core-*.tgz && \
	mv package/axe.min.js . && rm -rf package axe-core-*.tgz; } || echo "axe-core cannot be fetched here: its test is left out"

# The page tests need Chromium. On Debian it is installed from the
# distribution's packages; elsewhere install it, or say PERFDIFF_NO_BROWSER=1.
browser:
	@if [ "$$PERFDIFF_NO_BROWSER" = 1 ] || command -v chromium >/dev/null || command -v google-chrome >/dev/null; then exit 0; fi; \
	echo "installing chromium for the page tests"; \
	{ apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; } || \
	{ echo "chromium cannot be installed here: install it, or set PERFDIFF_NO_BROWSER=1 to leave the page tests out"; exit 1; }

# Shards on a real Slurm of four nodes, two of which are lost on the way: what is seen is
# golden/cluster.txt, which PERFDIFF_GOLDEN=update rewrites; half a minute.
cluster: slurm
	PERFDIFF_CLUSTER=1 go test -v -count=1 -timeout 20m -run 'TestCluster$$' ./cmd/perfdiff

# What that needs, from Debian's packages; nothing of it is started but by the test, in namespaces
# of its own. Where it cannot be had that is said and the test left out, as with PERFDIFF_NO_CLUSTER=1.
slurm:
	@if [ "$$PERFDIFF_NO_CLUSTER" = 1 ] || { command -v slurmctld && command -v mpirun.openmpi && command -v mpirun.mpich && command -v ip; } >/dev/null; then exit 0; fi; \
	echo "installing Slurm, Open MPI and MPICH for the cluster test"; \
	{ [ "$$(id -u)" = 0 ] && apt-get update -qq && \
	apt-get install -y -qq --no-install-recommends slurm-wlm openmpi-bin mpich iproute2 hostname >/dev/null; } || \
	echo "they cannot be installed here: the cluster test is left out"

# Where the real profiles of the tests come from, and which of them are here. They are
# not part of the project, and nothing is fetched: without them their tests are left
# out, and with PERFDIFF_DATA=required they fail.
data:
	@echo "real profiles lie in ../shared/data, which the project's tests read and never need:"
	@here=0; all=0; while IFS="	" read -r path from licence; do \
	case "$$path" in "#"*) continue ;; esac; \
	all=$$((all + 1)); word=missing; \
	if [ -e "../shared/data/$$path" ]; then here=$$((here + 1)); word="here   "; fi; \
	echo "$$word  $$path  (https://github.com/$$from, $$licence)"; \
	done < golden/sources.txt; echo "$$here of $$all are here"

# Rewrite the expected outputs; look at the difference before committing it.
golden:
	PERFDIFF_GOLDEN=update go test -count=1 ./cmd/perfdiff/... ./render/html -run 'Golden'
	git status --short golden README.md .github render/html diff/stat

# Speed as ratios within one run, at the sizes of the README; set
# PERFDIFF_BENCH_FULL=0 for a quick look at files a tenth as large.
bench: browser
	@$(OPEN_PAGES); set -x; PERFDIFF_BENCH_FULL=$${PERFDIFF_BENCH_FULL:-1} go test -run '^$$' -bench . -benchtime 1x -timeout 60m ./...

# The profile of where the program spends its time, which its builds are optimised by: to be
# recorded anew when much of what reads and measures was written anew. It takes some minutes,
# differs a little each time, and says nothing of the machine.
pgo:
	PERFDIFF_PROFILE=default.pgo go test -count=1 -run 'TestRecordProfile$$' ./cmd/perfdiff
	go test -count=1 -run 'TestProfile' ./cmd/perfdiff

# Every fuzz target of the tree, one after the other. What one finds is kept as
# a seed under testdata/fuzz of its package, which go test runs from then on.
fuzz:
	@set -e; for file in $$(git grep -l '^func Fuzz' -- '*_test.go'); do \
	for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9]*\)(.*/\1/p' $$file); do \
	echo "$$(dirname $$file) $$target"; \
	go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x ./$$(dirname $$file); done; done

# 12,000 files damaged in every way, ranks that end early, and forged summaries: each is read,
# or spoken of, and the table of what came out is golden/damage.txt, which
# PERFDIFF_GOLDEN=update rewrites; about three minutes.
damage:
	PERFDIFF_DAMAGE=$(DAMAGES) go test -count=1 -run 'TestDamage$$|TestForgedSummary$$' -timeout 1h ./analyze ./cmd/perfdiff

# The rates of false and missed verdicts on simulated runs, 300 pairs a cell,
# held to the goals and written to golden/rates.txt; within an hour on two cores that
# do nothing else. What was simulated is kept in RATESKEEP, by cell and build of
# the tests: a run that was stopped goes on where it was. Fewer pairs and some cells
# alone, which are printed and not written:
#   make rates PAIRS=200 RATES='GateRates/runs_1%'
RATES ?= Rates
PAIRS ?= 300
RATESKEEP ?= /tmp/perfdiff-rates
rates:
	GOGC=400 PERFDIFF_RATES=$(PAIRS) PERFDIFF_RATES_KEEP=$(RATESKEEP) \
	PERFDIFF_RATES_FILE=$(if $(filter Rates300,$(RATES)$(PAIRS)),golden/rates.txt,-) \
	go test ./diff -run '$(RATES)' -count 1 -timeout 3h $(if $(filter Rates300,$(RATES)$(PAIRS)),,-v)

# What is said of jobs that did not change when one side is recorded, named or laid out in
# another way, of every story in both formats, and of jobs that changed in a known way
# (stalls, another batch, lost rows, another host): held to golden/adversary.txt, which
# PERFDIFF_GOLDEN=update rewrites; seven minutes on two cores that do little else.
adversary:
	PERFDIFF_ADVERSARY=full go test -count=1 -run 'TestAdversary$$' -timeout 1h ./cmd/perfdiff

# Errors made in the code on purpose, one by one, of which all but a few must fail a
# test: cmd/perfdiff/testdata/mutants.txt lists them. Each is held against the tests of its
# own package up to the first that fails, and against every story only where those see
# nothing: seven minutes in all on two cores that do little else. The table of all is held to
# golden/mutants.txt. Beside them conditions drawn by a rule are edited, and the share that own
# tests see is held to golden/drawn.txt, room by room. PERFDIFF_GOLDEN=update rewrites both. Those
# of a package or of a name alone, and without the stories:
#   make mutate MUTANTS='^diff: '
#   make mutate MUTANTS='diff/stat: Holm' SEENBY=own
MUTANTS ?=
SEENBY ?= all
mutate:
	PERFDIFF_MUTATE=$(SEENBY) MUTANTS='$(MUTANTS)' go test -v -count=1 -run 'TestMutants$$|TestDrawnMutants$$' -timeout 3h ./cmd/perfdiff

# Real runs of a small training job on CPUs, 12 with a slower loader and 12
# without: its own runs pass in pairs, and the loader is found. Takes two minutes
# on two cores that do nothing else; left out where no PyTorch can be had.
real:
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && status=0 && \
	{ .real/record.sh "$$dir" $(REALRUNS) || status=$$?; } && \
	if [ $$status != 0 ]; then [ $$status = 77 ]; exit; fi && \
	PERFDIFF_REAL="$$dir" PERFDIFF_REAL_FILE=golden/real.txt go test -v -count=1 -run 'TestReal$$' ./cmd/perfdiff

# What perfdiff prints, run with real tools: a job of two ranks is recorded by nsys and the PyTorch
# profiler of Debian, under each launcher that is here, exported and compared with one that loads more
# slowly, and so are results of programs that measure. What ran is golden/tools.txt. Nsight Systems is
# unpacked below TOOLSKEEP, 800 MB; ten minutes. Left out where it or PyTorch cannot be had.
TOOLSKEEP ?= /tmp/perfdiff-tools
tools: slurm build
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && status=0 && \
	{ .real/tools.sh "$$dir" "$(CURDIR)/perfdiff" "$(TOOLSKEEP)" || status=$$?; } && \
	if [ $$status != 0 ]; then [ $$status = 77 ]; exit; fi && \
	PERFDIFF_TOOLS="$$dir" PERFDIFF_TOOLS_FILE=golden/tools.txt go test -v -count=1 -run 'TestTools$$' ./cmd/perfdiff

# What axe-core finds on the pages, which has to be nothing. Needs npm.
axe: browser .axe/axe.min.js
	@$(OPEN_PAGES); set -x; PERFDIFF_AXE="$(CURDIR)/.axe/axe.min.js" go test -count=1 -run Accessible ./render/html

# The part of ECharts that the page embeds, from the pinned npm packages.
echarts:
	render/html/bundle/build.sh

# What people download: archives for six platforms, a bill of materials and checksums, the same
# bytes for the same commit. Needs a tree without changes, which the version would name.
dist:
	go run ./cmd/dist dist

clean:
	rm -rf perfdiff report.html demo sample dist
