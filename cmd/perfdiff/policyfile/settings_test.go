package policyfile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTake: what files and flags say alike is taken, "" changes nothing, and errors name
// neither file nor flag.
func TestTake(t *testing.T) {
	s := Default()
	for _, tt := range []struct {
		name string
		take func(string) error
		good string
		bad  string
		want string
	}{
		{"ranks", s.TakeRanks, "0-2,9", "7-3", `"7-3" is neither a rank nor a stretch such as 0-7`},
		{"fail on", s.TakeFailOn, "missing-rank", "rain", `"rain" is no outcome: choose of `},
		{"allow", s.TakeAllow, "few-steps", "all", `"all" cannot be allowed: choose of `},
		{"range", s.TakeStepRange, `^step (\d+)$`, "[", "error parsing regexp"},
		{"kernel", s.TakeStepKernel, "adam", "[", "error parsing regexp"},
	} {
		if err := tt.take(tt.bad); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s %q: got %v, want %s", tt.name, tt.bad, err, tt.want)
		}
		for _, text := range []string{tt.good, ""} {
			if err := tt.take(text); err != nil {
				t.Errorf("%s %q: %v", tt.name, text, err)
			}
		}
	}
	if !s.Load.Ranks(2) || s.Load.Ranks(3) || !s.Load.Ranks(9) || s.Ranks != "0-2,9" {
		t.Errorf("ranks: got %q", s.Ranks)
	}
	if want := []string{"regressed", "missing-rank"}; !slices.Equal(s.Policy.FailOn, want) || !slices.Equal(s.Policy.Allow, []string{"few-steps"}) {
		t.Errorf("got %v and %v, want %v and few-steps", s.Policy.FailOn, s.Policy.Allow, want)
	}
}

// TestTextIsRead: what a policy is printed as gives the same policy, and says nothing new.
func TestTextIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name)
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("threshold: 4%\nranks: 0-3\nsteps: {skip_first: 2}\nfail_on: [missing-rank]\n")
	first, second := Default(), Default()
	if err := first.Read(path); err != nil || !first.Departs() {
		t.Fatalf("got %v, departs %v", err, first.Departs())
	}
	write(first.Text())
	if err := second.Read(path); err != nil || second.Text() != first.Text() {
		t.Errorf("got %v and\n%s\nwant\n%s", err, second.Text(), first.Text())
	}
	write(func() string { s := Default(); return s.Text() }())
	third := Default()
	if err := third.Read(path); err != nil || third.Departs() {
		t.Errorf("the default: got %v, departs %v", err, third.Departs())
	}
}
