"""Published rows without an estimate, and why."""

from __future__ import annotations

from collections import Counter

from benchmarks.accuracy.cases import Row, read, rows
from benchmarks.accuracy.scores import EXACT, not_rebuilt, untrained

BY_PREFIX = {
    "mmseg": "needs mmcv's compiled operators; eight processes with DDP buckets, SyncBN and cudnn.benchmark",
    "mmdet": "the maximum over an epoch of images of different sizes",
    "detectron2": "the maximum over an epoch of images of different sizes",
    "peft": "the maximum over training and generation, whose lengths follow the data",
    "peftold": "the batch is not published",
    "gpumemnet": "nvidia-smi of a script that also runs torchsummary and a validation pass",
    "hfbench": "nvidia-smi of a whole process; not tried",
    "titan": "sharded by FSDP over several GPUs",
    "torchtune": "needs torchtune; flags of the row are not stated in full, or it is compiled",
    "torchao": "the optimizer of torchao keeps its state outside the allocator or in 8 bits, or the row is compiled",
    "cce": "a compiled or a fused kernel of another project",
    "yolo": "reserved memory under cudnn.benchmark, which differs by tens of percent from run to run",
    "litgpthub": "weights in 4 bits by bitsandbytes, or several GPUs",
    "hfsdpa": "another script, or a head that is not published",
}

LIGER = {
    "fused_moe": "routing by values decides the sizes",
    "tiled_geglu": "DeepSpeed's tiled layer",
    "megatron_cross_entropy": "kernels of Megatron",
    "megatron_swiglu": "kernels of Megatron",
}

FAILED = {
    "peft-003": "the method clusters the weights by value",
    "peft-025": "the method keeps its weights in a sparse tensor",
    "peft-027": "the method keeps its weights in a sparse tensor",
    "peft-111": "the method picks weights by value",
}


def reason(row: Row) -> str:
    """Return why a row of ``exact.csv`` has no estimate."""
    name = row["id"].rpartition("-")[0]
    if row["id"] in FAILED:
        return FAILED[row["id"]]
    if name == "liger":
        return LIGER.get(row["model"].split(" / ")[0], "the reference loss is part of that release's own test suite")
    if name == "litgpt":
        if "bnb" in row["precision"]:
            return "weights in 4 bits by bitsandbytes"
        return "several GPUs, full precision beside autocast, or generation"
    return BY_PREFIX.get(name, "not tried")


def exact() -> Counter[tuple[str, str]]:
    """Count the rows of ``exact.csv`` without an estimate by source and reason."""
    done = {one.id for source in EXACT for one in read(f"{source}.csv") if not one.error}
    return Counter((row["id"].rpartition("-")[0], reason(row)) for row in rows("exact.csv") if row["id"] not in done)


def bounds() -> Counter[tuple[str, str]]:
    """Count the two-sided bounds that cannot be rebuilt."""
    two_sided = [row for row in rows("bounds.csv") if row["informative"] == "two-sided"]
    return Counter(("bounds", why) for row in two_sided if (why := not_rebuilt(row)))


def smi() -> Counter[tuple[str, str]]:
    """Count the readings of nvidia-smi that are not of a training run, and those without an estimate."""
    trained = [row for row in rows("smi_timm.csv") if row["status"] == "ok"]
    return Counter(("smi_timm", why) for row in trained if (why := untrained(row)))
