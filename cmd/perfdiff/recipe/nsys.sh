    local help nic first=${ranks%% *}
    help=$(nsys profile --help 2>&1 || true)    # what the nsys of this node can
    has() { case $help in *"$1"*) ;; *) return 1 ;; esac; }
    has --capture-range || die "no nsys runs on $HOSTNAME: put it on PATH"
    # add OPTION WITHOUT: takes an option that this nsys has, else says what is not recorded.
    add() {
        if has "${1%%[ =]*}"; then
            options+=($1)
        elif [ "$rank" = "$first" ]; then
            say "this nsys has no ${1%%[ =]*}: $2"
        fi
    }
    local options=(
        --trace=cuda,nvtx,osrt{{mpi}}
        --capture-range=cudaProfilerApi    # from the call that begins the capture
        --capture-range-end=stop           # to the one that ends it; the program goes on
        --sample=none --cpuctxsw=none      # no samples of the CPU, nor of its scheduler
        --output="$out/report.$rank"
    )
    add --cuda-graph-trace=node "kernels inside of CUDA graphs are not recorded"
    add --osrt-file-access=true "reads have times and no bytes"
    if {{node}}; then    # counters of the whole node, by one rank of it; leave out what is not permitted
        # or --nfs-volumes=all, --lustre-volumes=all:
        add "--storage-metrics --storage-devices=all" "storage counters are not recorded"
        nic=${help#*--nic-metrics} && nic=${nic:0:300}
        case $nic in *[!a-z]lf[!a-z]*) nic=lf ;; *) nic=true ;; esac    # the word that newer ones want
        add --nic-metrics=$nic "bytes of the network are not recorded"
    fi
    exec nsys profile "${options[@]}" "${program[@]}" "$@"
