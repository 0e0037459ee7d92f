"""Differences between estimates and the measured peaks in ``data/t4.csv``.

python -m benchmarks.estimate_t4
"""

from __future__ import annotations

import csv
import os
import sys
import warnings
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

import torch
from torch import nn
from torch.nn import functional

from dnnlint.estimators.allocator import replay
from dnnlint.estimators.simulation import Precision, SimulatedDevice, StepSettings, TrainingProgram, trace_program

ROWS = Path(__file__).parent / "data" / "t4.csv"
T4 = SimulatedDevice((7, 5), 14910 << 20, 40, "Tesla T4")
SETTINGS = StepSettings(precision=Precision.AMP_BF16, steps=2, keeps_variables=False)
"""Two steps, each a call of a function: its output lives until it returns, and no longer."""

MIB = 1 << 20
ALLOCATED_BOUND = 0.005
RESERVED_BOUND = 0.015


def _language_model(name: str) -> nn.Module:
    import transformers

    config, model = {
        "gpt2": (transformers.GPT2Config, transformers.GPT2LMHeadModel),
        "distilbert": (transformers.DistilBertConfig, transformers.DistilBertForSequenceClassification),
        "bert": (transformers.BertConfig, transformers.BertForSequenceClassification),
    }[name]
    made: nn.Module = model(config())
    return made


def program(name: str, length: int) -> TrainingProgram:
    """Return a run of ``t4.csv``: a language model, a text classifier or ResNet-50."""

    def batch(size: int) -> dict[str, torch.Tensor]:
        if name == "resnet50":
            return {"x": torch.zeros(size, 3, length, length), "y": torch.zeros(size, dtype=torch.long)}
        ids = torch.zeros(size, length, dtype=torch.long)
        labels = ids if name == "gpt2" else torch.zeros(size, dtype=torch.long)
        return {"input_ids": ids, "labels": labels}

    def loss(model: nn.Module, inputs: object) -> tuple[object, torch.Tensor]:
        assert isinstance(inputs, dict)
        if name == "resnet50":
            output = model(inputs["x"])
            return output, functional.cross_entropy(output, inputs["y"])
        result = model(**inputs)
        return result, result.loss

    def build() -> nn.Module:
        if name != "resnet50":
            return _language_model(name)
        import torchvision

        made: nn.Module = torchvision.models.resnet50()
        return made

    return TrainingProgram(build, batch, loss, lambda model: torch.optim.AdamW(model.parameters()))


def main() -> int:
    """Compare all rows; the exit code says whether the mean errors are within their bounds."""
    warnings.simplefilter("ignore")
    allocated: list[float] = []
    reserved: list[float] = []
    with ROWS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            trace = trace_program(
                program(row["model"], int(row["length"])),
                int(row["batch"]),
                T4,
                SETTINGS,
            )
            peaks = replay(trace).steady.peaks
            allocated.append(peaks.allocated_bytes / MIB / float(row["allocated_mib"]) - 1)
            reserved.append(peaks.reserved_bytes / MIB / float(row["reserved_mib"]) - 1)
            print(f"{row['run']:26} allocated {allocated[-1]:+.2%}, reserved {reserved[-1]:+.2%}")
    mean_allocated = sum(map(abs, allocated)) / len(allocated)
    mean_reserved = sum(map(abs, reserved)) / len(reserved)
    print(f"mean error: allocated {mean_allocated:.2%}, reserved {mean_reserved:.2%}")
    return 0 if mean_allocated <= ALLOCATED_BOUND and mean_reserved <= RESERVED_BOUND else 1


if __name__ == "__main__":
    sys.exit(main())
