"""Writes ``results/largest_convolutions.json``: what the interval of the nvidia-smi rows asks of each model.

python -m benchmarks.accuracy.convolutions
"""

from __future__ import annotations

import json
import os
import sys
import warnings

import torch

from benchmarks.accuracy import timm_models
from benchmarks.accuracy.cases import RESULTS, rows
from dnnlint.estimators.simulation import simulate

BATCH = 2


def main() -> int:
    """Run one forward pass of every model; sizes are in bytes a sample."""
    warnings.simplefilter("ignore")
    os.environ["TIMM_FUSED_ATTN"] = "1"
    found: dict[str, int] = {}
    models = {(row["model"], int(row["img_size"])) for row in rows("smi_timm.csv") if row["status"] == "ok"}
    for model, size in sorted(models):
        with simulate() as simulation, torch.no_grad():
            network = timm_models.build(model, size).cuda().train()
            network(torch.zeros(BATCH, 3, size, size).cuda())
            found[f"{model}@{size}"] = simulation.trace.convolution_bytes // BATCH
    text = "{\n" + ",\n".join(f" {json.dumps(name)}: {size}" for name, size in found.items()) + "\n}\n"
    (RESULTS / "largest_convolutions.json").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
