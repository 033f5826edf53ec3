"""One rank of a small training job on CPUs, under PyTorch's own profiler.

Ranks meet in a file beside the traces, so no port is taken. What a sample costs
to load is the one thing that the two sides of `make real` differ in.
"""
import argparse
import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.profiler import ProfilerActivity, profile, schedule
from torch.utils.data import DataLoader, Dataset

WAIT, WARMUP, BATCH, FEATURES, HIDDEN, CLASSES = 1, 4, 16, 512, 1024, 10


class Samples(Dataset):
    """Samples that are made up, each after a wait as for a disk."""

    def __init__(self, seconds):
        self.seconds = seconds

    def __len__(self):
        return 1_000_000

    def __getitem__(self, index):
        time.sleep(self.seconds)
        return torch.randn(FEATURES), index % CLASSES


def network():
    layers = [nn.Linear(FEATURES, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, CLASSES)]
    return nn.parallel.DistributedDataParallel(nn.Sequential(*layers))


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("out", help="directory of the run's traces")
    arguments.add_argument("--rank", type=int, required=True)
    arguments.add_argument("--ranks", type=int, required=True)
    arguments.add_argument("--steps", type=int, required=True, help="that are recorded")
    arguments.add_argument("--load", type=float, required=True, help="seconds a sample")
    args = arguments.parse_args()

    torch.manual_seed(args.rank)
    torch.set_num_threads(1)
    meet = "file://" + os.path.abspath(args.out) + ".meet"
    dist.init_process_group("gloo", init_method=meet, rank=args.rank, world_size=args.ranks)
    model = network()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    loss = nn.CrossEntropyLoss()
    batches = iter(DataLoader(Samples(args.load), batch_size=BATCH))

    def save(recorded):
        recorded.export_chrome_trace(os.path.join(args.out, f"rank{args.rank}.pt.trace.json"))

    plan = schedule(wait=WAIT, warmup=WARMUP, active=args.steps, repeat=1)
    with profile(activities=[ProfilerActivity.CPU], schedule=plan, on_trace_ready=save) as profiler:
        for _ in range(WAIT + WARMUP + args.steps):
            inputs, labels = next(batches)
            optimizer.zero_grad()
            loss(model(inputs), labels).backward()
            optimizer.step()
            profiler.step()
    dist.destroy_process_group()


main()
