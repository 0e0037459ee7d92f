"""Published figures that stand alone: one program for each row or small group of rows."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import replace

import torch
from torch import nn
from torch.nn import functional

from benchmarks.accuracy.cases import Case, Estimate, Row, rows, versions
from dnnlint.estimators.allocator import Phase, replay
from dnnlint.estimators.devices import find_gpu
from dnnlint.estimators.simulation import SimulatedDevice, Simulation, simulate

Loss = Callable[[], torch.Tensor]

GPT2_XL = {"n_embd": 1600, "n_layer": 48, "n_head": 25}


def _steps(
    simulation: Simulation, loss: Loss, optimizer: torch.optim.Optimizer, steps: int = 3, zero_first: bool = True
) -> None:
    for number in range(steps):
        with simulation.step(number):
            if zero_first:
                optimizer.zero_grad()
            loss().backward()
            with simulation.phase(Phase.OPTIMIZER):
                optimizer.step()
            if not zero_first:
                optimizer.zero_grad()


def _buckets(model: nn.Module) -> torch.Tensor:
    """Return what DistributedDataParallel holds beside the gradients: a flat copy of them in buckets."""
    return torch.empty(sum(p.numel() for p in model.parameters() if p.requires_grad), device="cuda")


def _segmentation(simulation: Simulation, row: Row) -> None:
    import torchvision

    make = torchvision.models.segmentation.fcn_resnet50
    model = make(weights=None, weights_backbone=None, aux_loss=True, num_classes=21).cuda().train()
    held = _buckets(model)
    images = torch.zeros(4, 3, 480, 480).cuda()
    target = torch.zeros(4, 480, 480, dtype=torch.long).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, weight_decay=1e-4)

    def loss() -> torch.Tensor:
        output = model(images)
        parts = [functional.cross_entropy(part, target, ignore_index=255) for part in output.values()]
        return parts[0] + 0.5 * parts[1]

    _steps(simulation, loss, optimizer)
    del held


def _detection(simulation: Simulation, row: Row) -> None:
    import torchvision

    names = {"Faster": "fasterrcnn_resnet50_fpn", "Retina": "retinanet_resnet50_fpn", "Mask R": "maskrcnn_resnet50_fpn"}
    make = getattr(torchvision.models.detection, names[row["model"][:6]])
    model = make(weights=None, weights_backbone=None, trainable_backbone_layers=3).cuda().train()
    for name, parameter in model.backbone.body.named_parameters():
        parameter.requires_grad_(not name.startswith(("conv1", "bn1", "layer1")))
    held = _buckets(model)
    images = [torch.zeros(3, 800, 1333).cuda() for _ in range(int(row["batch"]))]
    objects = 20
    boxes = torch.tensor([[10.0, 10.0, 300.0, 300.0]]).repeat(objects, 1)
    masks = torch.zeros(objects, 800, 1333, dtype=torch.uint8)
    target = {"boxes": boxes.cuda(), "labels": torch.ones(objects, dtype=torch.long).cuda(), "masks": masks.cuda()}
    trainable = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(trainable, lr=0.02, momentum=0.9, weight_decay=1e-4)

    def loss() -> torch.Tensor:
        found: torch.Tensor = sum(model(images, [dict(target) for _ in images]).values())
        return found

    _steps(simulation, loss, optimizer)
    del held


def _giant(simulation: Simulation, row: Row) -> None:
    import timm

    model = timm.create_model("vit_giant_patch14_dinov2.lvd142m", img_size=224, num_classes=45)
    model = model.bfloat16().cuda().train()
    model.set_grad_checkpointing()
    images = torch.zeros(32, 3, 224, 224, dtype=torch.bfloat16).cuda()
    target = torch.zeros(32, dtype=torch.long).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    _steps(simulation, lambda: functional.cross_entropy(model(images), target), optimizer)


def _vit_large(simulation: Simulation, row: Row) -> None:
    import torchvision

    model = torchvision.models.vit_l_16().cuda().train()
    image = torch.zeros(1, 3, 224, 224).cuda()
    optimizer = torch.optim.Adam(model.parameters())
    _steps(simulation, lambda: model(image).sum(), optimizer, zero_first=False)


def _vit_large_in_backward(simulation: Simulation, row: Row) -> None:
    import torchvision

    model = torchvision.models.vit_l_16().cuda().train()
    image = torch.zeros(1, 3, 224, 224).cuda()
    optimizers = {p: torch.optim.Adam([p], foreach=False) for p in model.parameters()}

    def update(parameter: torch.Tensor) -> None:
        optimizers[parameter].step()
        optimizers[parameter].zero_grad()

    for parameter in model.parameters():
        parameter.register_post_accumulate_grad_hook(update)
    for number in range(3):
        with simulation.step(number):
            model(image).sum().backward()


def _weights(simulation: Simulation, row: Row) -> None:
    import transformers

    with simulation.step(0):
        transformers.GPT2LMHeadModel(transformers.GPT2Config(**GPT2_XL)).cuda()


def _linear_loss(simulation: Simulation, row: Row) -> None:
    """Run the plain head and loss of Gemma 2 with soft-capped logits; the figure is over what stays alive."""
    hidden = torch.zeros(8192, 2304, dtype=torch.bfloat16, device="cuda", requires_grad=True)
    weight = torch.zeros(256000, 2304, dtype=torch.bfloat16, device="cuda", requires_grad=True)
    target = torch.zeros(8192, dtype=torch.long, device="cuda")

    def loss() -> torch.Tensor:
        logits = hidden @ weight.T
        logits = torch.tanh(logits / 30.0) * 30.0
        return functional.cross_entropy(logits.float(), target)

    with simulation.step(0):
        # Both threads have their workspace before the first measurement.
        torch.autograd.grad((hidden[:8] @ weight.T).sum(), (hidden, weight))
        result = loss() if row["phase"] == "loss-bw" else None
    with simulation.step(1):
        if result is not None:
            torch.autograd.grad(result, (hidden, weight))
        else:
            result = loss()
            if row["phase"] == "loss-fw-bw":
                torch.autograd.grad(result, (hidden, weight))


PROGRAMS: dict[str, tuple[Callable[[Simulation, Row], None], str, tuple[str, ...]]] = {
    "tvseg-001": (_segmentation, "v100-16gb", ("torchvision",)),
    "tvdet-001": (_detection, "v100-16gb", ("torchvision",)),
    "tvdet-004": (_detection, "v100-16gb", ("torchvision",)),
    "tvdet-005": (_detection, "v100-16gb", ("torchvision",)),
    "torchao-008": (_giant, "rtx-4070-ti", ("timm",)),
    "pttut-001": (_vit_large, "a100-80gb", ("torchvision",)),
    "pttut-002": (_vit_large_in_backward, "a100-80gb", ("torchvision",)),
    "rasbt5-014": (_weights, "a100-80gb", ("transformers",)),
    "cce-003": (_linear_loss, "a100-80gb", ()),
    "cce-006": (_linear_loss, "a100-80gb", ()),
    "cce-009": (_linear_loss, "a100-80gb", ()),
}
"""Program, GPU and packages of each row; where the source names no GPU, one is taken on which nothing depends."""


def cases() -> Iterator[Case]:
    """Yield the rows with a program."""
    for row in rows("exact.csv"):
        if row["id"] in PROGRAMS:
            yield Case(row["id"], functools.partial(_estimate, row))


def _estimate(row: Row) -> list[Estimate]:
    run, gpu_name, packages = PROGRAMS[row["id"]]
    gpu = find_gpu(gpu_name)
    device = SimulatedDevice(gpu.compute_capability, gpu.memory_bytes, gpu.multiprocessors, gpu.name)
    with simulate(device) as simulation:
        run(simulation, row)
        usage = replay(simulation.trace)
    peaks = usage.steady.peaks
    found = Estimate(row["id"], peaks.allocated_bytes, peaks.reserved_bytes, versions=versions(*packages))
    if "delta" in row["metric"]:
        before = usage.steps[0].end.allocated_bytes
        found = replace(found, allocated_bytes=peaks.allocated_bytes - before)
    return [found]
