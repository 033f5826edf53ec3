"""What stands before the code that perfdiff record prints: a small training job on CPUs, whose
batches cost LOAD seconds to load (make tools writes that line above this one).

Without a GPU PyTorch has no ranges for Nsight Systems, and nothing begins a capture: ranges go to
NVIDIA's library for them, $NVTX, and one of these, named capture, stands for the calls that do.
"""
import ctypes
import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, IterableDataset

STEPS, BATCH, FEATURES = 40, 16, 64


def number(*names):
    """What the launcher says of a rank."""
    return int(next(os.environ[name] for name in names if name in os.environ))


nvtx = ctypes.CDLL(os.environ["NVTX"]) if "NVTX" in os.environ else None
if nvtx:
    torch.cuda.nvtx.range_push = lambda name: nvtx.nvtxRangePushA(name.encode())
    torch.cuda.nvtx.range_pop = lambda: nvtx.nvtxRangePop()
    torch.cuda.profiler.start = lambda: nvtx.nvtxRangePushA(b"capture")
    torch.cuda.profiler.stop = lambda: nvtx.nvtxRangePop()
    torch.cuda.synchronize = lambda: None


class Batches(IterableDataset):
    """Batches that are made up, each after a wait as for a disk."""

    def __iter__(self):
        for _ in range(STEPS):
            if nvtx:
                torch.cuda.nvtx.range_push("load batch")
            time.sleep(LOAD)
            if nvtx:
                torch.cuda.nvtx.range_pop()
            yield torch.randn(BATCH, FEATURES)


torch.set_num_threads(1)
dist.init_process_group(
    "gloo",
    init_method="file://" + os.environ["MEET"] + os.environ["PERFDIFF_OUT"].replace("/", "_"),
    rank=number("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"),
    world_size=number("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"),
)
model = nn.parallel.DistributedDataParallel(nn.Sequential(nn.Linear(FEATURES, FEATURES), nn.ReLU(), nn.Linear(FEATURES, 1)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loader = DataLoader(Batches(), batch_size=None)


def train(batch):
    optimizer.zero_grad()
    model(batch).square().mean().backward()
    optimizer.step()


