"""What rules know of the Trainer of Lightning."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.project.test_linking import check, places, write

MODULE = """\
import lightning as L
import torch

class Classifier(L.LightningModule):
    {extra}
    def training_step(self, batch, index):
        images, targets = batch
        return torch.nn.functional.cross_entropy(self.network(images), targets)

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters())
"""
SCRIPT = """\
import lightning as L
from module import Classifier
{imports}
options = {{"max_epochs": 3}}
trainer = L.Trainer({arguments})
trainer.fit(Classifier(), loader)
"""
CLIPPING = {
    "nothing": ("max_epochs=3", "", "", True),
    "none": ("gradient_clip_val=None", "", "", True),
    "zero": ("gradient_clip_val=0.0", "", "", True),
    "shown mapping": ("**options", "", "", True),
    "a value": ("gradient_clip_val=0.5", "", "", False),
    "an option": ("gradient_clip_val=args.clip", "", "import argparse\nargs = argparse.Namespace()", False),
    "unknown mapping": ("**load()", "", "from somewhere import load", False),
    "manual steps": ("max_epochs=3", "automatic_optimization = False", "", False),
    "own clipping": (
        "max_epochs=3",
        "def configure_gradient_clipping(self, optimizer, a=None, b=None): self.clip_gradients(optimizer, 1.0)",
        "",
        False,
    ),
    "callback": ("callbacks=[ClipNorm()]", "", "class ClipNorm(L.Callback):\n    def clip(self): ...", False),
    "strategy that may clip": ("strategy='deepspeed'", "", "", False),
    "strategy object": ("strategy=make()", "", "from somewhere import make", False),
}


@pytest.mark.parametrize(("arguments", "extra", "imports", "expected"), CLIPPING.values(), ids=CLIPPING)
def test_trainer_that_does_not_clip(arguments: str, extra: str, imports: str, expected: bool, tmp_path: Path) -> None:
    """It is reported where it is made, and only when nothing else may clip."""
    script = SCRIPT.format(arguments=arguments, imports=imports)
    names = write(tmp_path, {"module.py": MODULE.format(extra=extra), "fit.py": script})
    found = places(check(tmp_path, "DNN301", names))
    assert [path for path, _ in found] == (["fit.py"] if expected else [])


PRECISION = {
    "gpu": ("accelerator='gpu'", "", True),
    "cuda": ("accelerator='cuda', devices=2", "", True),
    "precision": ("accelerator='gpu', precision='bf16-mixed'", "", False),
    "tensor cores": (
        "accelerator='gpu'",
        "import torch\ntorch.set_float32_matmul_precision('high')",
        False,
    ),
    "cpu": ("accelerator='cpu'", "", False),
    "chosen by Lightning": ("accelerator='auto'", "", False),
    "plug-in": ("accelerator='gpu', plugins=[plugin]", "from somewhere import plugin", False),
}


@pytest.mark.parametrize(("arguments", "imports", "expected"), PRECISION.values(), ids=PRECISION)
def test_trainer_in_single_precision(arguments: str, imports: str, expected: bool, tmp_path: Path) -> None:
    """Only one that was told to use a GPU and no precision is reported."""
    script = SCRIPT.format(arguments=arguments, imports=imports)
    names = write(tmp_path, {"module.py": MODULE.format(extra=""), "fit.py": script})
    found = places(check(tmp_path, "DNN108", names))
    assert [path for path, _ in found] == (["fit.py"] if expected else [])
