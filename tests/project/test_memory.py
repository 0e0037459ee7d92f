"""Rules on data and memory over several files: what trains in one and keeps, evaluates or loads in another."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.project.test_linking import check, places, write

STATS = """\
class Running:
    def __init__(self):
        self.total, self.seen = 0.0, 0

    def note(self, value):
        self.total += value
        self.seen += 1
"""
NETWORK = """\
from torch import nn

def stage(n):
    return nn.Sequential(nn.Linear(n, n), nn.ReLU(), nn.Dropout(0.2))

class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.out = stage(8), nn.Linear(8, 2)

    def forward(self, x):
        return self.out(self.body(x))
"""
LOOP = """\
import torch
from torch.utils.data import DataLoader
{imports}

def main(rows, held_out):
    model = Head()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    {before}
    for epoch in range(3):
        model.train()
        for x, y in DataLoader(rows, 8, shuffle=True{loader}):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            {each}
        {after}
"""
SCORE = """\
import torch

@torch.no_grad()
def evaluate(model, rows):
    {mode}
    return sum((model(x).argmax(1) == y).sum().item() for x, y in rows)
"""
PACK = """\
import torch

def pack(rows):
    return torch.stack(rows){move}
"""


def loop(imports: str, before: str = "", each: str = "", after: str = "", loader: str = "") -> str:
    """A script that trains, with lines of its own at some places."""
    imports = f"from network import Head\n{imports}"
    return LOOP.format(imports=imports, before=before, each=each or "pass", after=after or "pass", loader=loader)


KEPT = {"attached": ("loss", True), "number": ("loss.item()", False), "detached": ("loss.detach()", False)}


@pytest.mark.parametrize(("given", "expected"), KEPT.values(), ids=KEPT)
def test_sum_in_an_object_of_another_file(given: str, expected: bool, tmp_path: Path) -> None:
    """An object that adds up what it gets keeps the graph of an attached loss; the call is what is wrong."""
    train = loop("from stats import Running", "stats = Running()", f"stats.note({given})")
    result = check(tmp_path, "DNN501", write(tmp_path, {"train.py": train, "network.py": NETWORK, "stats.py": STATS}))
    assert [path for path, _ in places(result)] == (["train.py"] if expected else [])


def test_other_sums_of_the_same_class_are_not_meant(tmp_path: Path) -> None:
    """Of two objects of one class, the one that gets numbers is left alone."""
    each = "kept.note(loss); numbers.note(loss.item())"
    train = loop("from stats import Running", "kept, numbers = Running(), Running()", each)
    result = check(tmp_path, "DNN501", write(tmp_path, {"train.py": train, "network.py": NETWORK, "stats.py": STATS}))
    assert len(places(result)) == 1


@pytest.mark.parametrize("module", ["evaluate", "scoring"], ids=["named like a library", "other name"])
@pytest.mark.parametrize(("mode", "expected"), [("pass", True), ("model.eval()", False)], ids=["no eval", "eval"])
def test_evaluation_in_another_file(module: str, mode: str, expected: bool, tmp_path: Path) -> None:
    """The mode and the layers count, whatever the file of the evaluation is called and wherever layers are made."""
    train = loop(f"from {module} import evaluate", after="print(*[evaluate(model, held_out)])")
    files = {"train.py": train, "network.py": NETWORK, f"{module}.py": SCORE.format(mode=mode)}
    result = check(tmp_path, "DNN507", write(tmp_path, files))
    assert [path for path, _ in places(result)] == ([f"{module}.py"] if expected else [])


@pytest.mark.parametrize(("move", "expected"), [(".cuda()", True), ("", False)], ids=["cuda", "cpu"])
def test_collate_function_of_another_file(move: str, expected: bool, tmp_path: Path) -> None:
    """A function without any training in its file runs in the workers of the loader."""
    train = loop("from pack import pack", loader=", num_workers=2, collate_fn=pack")
    files = {"train.py": train, "network.py": NETWORK, "pack.py": PACK.format(move=move)}
    assert bool(places(check(tmp_path, "DNN405", write(tmp_path, files)))) is expected


HOOK = """\
import torch
import lightning as L

class Tidy(L.LightningModule):
    def {name}(self, *given):
        torch.cuda.empty_cache()
"""
TIDY = {"on_train_batch_end": True, "on_before_zero_grad": True, "on_train_epoch_end": False, "teardown": False}


@pytest.mark.parametrize(("name", "expected"), TIDY.items(), ids=TIDY)
def test_cache_emptied_by_a_hook_of_lightning(name: str, expected: bool, tmp_path: Path) -> None:
    """Lightning calls some methods for every batch, others once an epoch or once."""
    names = write(tmp_path, {"tidy.py": HOOK.format(name=name)})
    assert bool(places(check(tmp_path, "DNN504", names))) is expected
