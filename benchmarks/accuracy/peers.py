"""What other estimators say of the same rows.

    python -m benchmarks.accuracy.peers accelerate|zero|torchinfo|preflight|memtracker

Answers are added to ``results/peers.csv``; an answer that is there already is not asked for again. Each tool is used
as it is meant to be: ``accelerate estimate-memory`` and DeepSpeed's formula see only the parameters, torchinfo the
outputs of the modules, torch-preflight the name of an architecture, MemTracker a whole step on fake tensors.
"""

from __future__ import annotations

import csv
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional

from benchmarks.accuracy import hugging_face_tables, timm_models
from benchmarks.accuracy.cases import RESULTS, rows

FILE = RESULTS / "peers.csv"
FIELDS = ("tool", "source", "id", "bytes", "seconds", "error")
EVERY = 12
"""Of the models of timm, one in so many is asked about, since tools that run the model take long."""

MEMTRACKER_EVERY = 60


@dataclass(frozen=True, slots=True)
class Question:
    """A row, and what is needed to ask about it."""

    source: str
    id: str
    model: str
    batch: int
    build: Callable[[], nn.Module]
    inputs: Callable[[], dict[str, torch.Tensor]]
    half: bool
    trains: bool
    """Whether an optimizer with momentum runs."""


def questions(every: int) -> Iterator[Question]:
    """Yield rows of nvidia-smi readings (all batches of one model in ``every``) and of the Hugging Face tables."""
    models = sorted({row["model"] for row in rows("smi_timm.csv") if row["status"] == "ok"})
    chosen = set(models[::every])
    for row in rows("smi_timm.csv"):
        if row["model"] in chosen and row["status"] == "ok":
            size, batch = int(row["img_size"]), int(row["batch"])
            yield Question(
                "smi_timm",
                f"{row['model']}@{size}@{batch}",
                row["model"],
                batch,
                lambda model=row["model"], size=size: timm_models.build(model, size),  # type: ignore[misc]
                lambda batch=batch, size=size: {"x": torch.zeros(batch, 3, size, size)},  # type: ignore[misc]
                False,
                True,
            )
    for row in rows("exact.csv"):
        if row["id"].startswith("hfsdpa-") and row["tier"] in "AB" and row["attn_impl"] == "sdpa":
            shape = int(row["batch"]), int(row["seq_or_img"])
            yield Question(
                "hf_tables",
                row["id"],
                row["model"].partition(" ")[0],
                shape[0],
                lambda model=row["model"]: hugging_face_tables.build(model, "sdpa"),  # type: ignore[misc]
                lambda shape=shape: {"input_ids": torch.zeros(shape, dtype=torch.long)},  # type: ignore[misc]
                True,
                False,
            )


def _on_meta(question: Question) -> nn.Module:
    with torch.device("meta"):
        model = question.build()
    return model.half() if question.half else model


def _parameters(question: Question) -> int:
    return sum(p.numel() for p in _on_meta(question).parameters())


def accelerate(question: Question) -> int:
    """Return the line *Training using Adam* of ``accelerate estimate-memory`` for the type of the weights."""
    from accelerate.commands.estimate import estimate_training_usage

    kind = "float16" if question.half else "float32"
    return int(max(estimate_training_usage(4 * _parameters(question), kind).values()))


def zero(question: Question) -> int:
    """Return DeepSpeed's published formula of model states for ZeRO stage 2 on one GPU without offloading.

    ``estimate_zero2_model_states_mem_needs``: 4 bytes for every parameter, and 16 shared among the GPUs.
    """
    count = _parameters(question)
    return 4 * count + 16 * count


def torchinfo(question: Question) -> int:
    """Return the *Estimated Total Size* of torchinfo."""
    import torchinfo

    summary = torchinfo.summary(
        _on_meta(question),
        input_data={name: tensor.to("meta") for name, tensor in question.inputs().items()},
        device="meta",
        verbose=0,
    )
    return int(summary.total_input + summary.total_output_bytes + summary.total_param_bytes)


def preflight(question: Question) -> int:
    """Return torch-preflight's total for a model that its data base knows."""
    from torch_preflight.vram import OptimizerKind, PrecisionMode, RunConfig, archdb, estimate_config

    shape = next(iter(question.inputs().values())).shape
    profile = archdb.resolve(question.model)
    if profile is None:
        raise LookupError("not in its data base")
    config = RunConfig(
        batch_size=question.batch,
        seq_len=shape[1] if question.half else None,
        image_size=None if question.half else shape[2],
        precision=PrecisionMode.PURE_FP16 if question.half else PrecisionMode.FP32,
        optimizer=OptimizerKind.SGD_MOMENTUM if question.trains else OptimizerKind.SGD,
    )
    return int(estimate_config(profile, config, with_remediations=False).total)


def memtracker(question: Question) -> int:
    """Return the peak of ``torch.distributed._tools.mem_tracker`` over two steps on fake tensors."""
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.distributed._tools.mem_tracker import MemTracker

    with FakeTensorMode():
        model = question.build().train()
        model = model.half() if question.half else model
        inputs = question.inputs()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9) if question.trains else None
        tracker = MemTracker()
        tracker.track_external(model, *([optimizer] if optimizer else []), *inputs.values())
        with tracker:
            for number in range(2):
                output = model(**inputs) if question.half else model(*inputs.values())
                scores = getattr(output, "logits", output)
                if optimizer is None:
                    model.zero_grad()
                    scores.sum().backward()
                else:
                    target = torch.zeros(scores.shape[0], dtype=torch.long)
                    functional.cross_entropy(scores, target).backward()
                    optimizer.step()
                    optimizer.zero_grad()
                if number == 0:
                    tracker.reset_mod_stats()
        peaks = tracker.get_tracker_snapshot("peak")
    return int(max(snapshot["Total"] for snapshot in peaks.values()))


TOOLS: dict[str, tuple[Callable[[Question], int], int]] = {
    "accelerate": (accelerate, EVERY),
    "zero": (zero, EVERY),
    "torchinfo": (torchinfo, EVERY),
    "preflight": (preflight, 1),
    "memtracker": (memtracker, MEMTRACKER_EVERY),
}


def main(arguments: list[str]) -> int:
    """Ask one tool about all rows it was not asked about before."""
    warnings.simplefilter("ignore")
    tool = arguments[0]
    ask, every = TOOLS[tool]
    done = set()
    if FILE.exists():
        with FILE.open(encoding="utf-8", newline="") as file:
            done = {row["id"] for row in csv.DictReader(file) if row["tool"] == tool}
    with FILE.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        if file.tell() == 0:
            writer.writeheader()
        for question in questions(every):
            if question.id in done:
                continue
            started = time.process_time()
            found: dict[str, object] = {"bytes": -1, "error": ""}
            try:
                found["bytes"] = ask(question)
            except Exception as error:
                found["error"] = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:120]}"
            seconds = round(time.process_time() - started, 2)
            writer.writerow({"tool": tool, "source": question.source, "id": question.id, "seconds": seconds, **found})
            file.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
