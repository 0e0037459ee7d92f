"""What ``--explain-program`` says of the bundled examples, of a project of two files and of files it cannot read."""

from __future__ import annotations

import json
import os
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tests.support import ROOT, RunCommand, write

ENTRY = """\
import argparse

import torch
from torch.utils.data import DataLoader

from engine import train_one_epoch
from extras import tune

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--workers", type=int, default=4)
parser.add_argument("--clip", type=float, default=usual_limit())
args = parser.parse_args()
model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 3)
loader = DataLoader(data, 2 * args.workers, num_workers=args.workers)
tune(model, optimizer)
for epoch in range(3):
    train_one_epoch(model, loader, optimizer, args.clip)
    scheduler.step()
torch.save({"model": model.state_dict()}, "last.pt")
"""
ENGINE = """\
import torch


def train_one_epoch(model, loader, optimizer, max_norm):
    for step, (x, y) in enumerate(loader):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = model(x).sum()
        (loss / 4).backward()
        if (step + 1) % 4 == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            optimizer.step()
            optimizer.zero_grad()
"""
OTHER = ENTRY.replace("default=0.1", "default=0.7").replace("from extras import tune\n", "").replace("tune(", "print(")
BRANCHED = (
    """\
import torch

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in data:
    loss = model(x).sum()
    loss.backward()
"""
    + "".join(f"    if flag_{n}():\n        optimizer.zero_grad()\n" for n in range(9))
    + "    optimizer.step()\n"
)


def explained(dnnlint: RunCommand, path: str) -> Any:
    """The JSON of one file."""
    run = dnnlint("check", "--explain-program", path, "--format", "json")
    assert (run.code, run.err) == (0, "")
    return json.loads(run.out)


@pytest.fixture
def two_files(project: Path) -> Path:
    """A script, the file with its loop, and a second script that shares that file."""
    write(project, {"train.py": ENTRY, "engine.py": ENGINE, "other.py": OTHER})
    return project


@pytest.mark.usefixtures("two_files")
class TestTwoFiles:
    """A loop in another file than the objects it works on."""

    def test_loop(self, dnnlint: RunCommand) -> None:
        """Each part of the loop with its own file, and values with the option that they come from."""
        (loop,) = explained(dnnlint, "train.py")["training_loops"]
        assert loop["at"] == {"path": "engine.py", "line": 5}
        assert loop["outer"] == [{"path": "train.py", "line": 19}]
        assert [made["at"]["line"] for made in (*loop["backwards"], *loop["steps"], *loop["zero_grads"])] == [8, 11, 12]
        (optimizer,) = loop["optimizers"]
        assert (optimizer["name"], optimizer["at"]) == ("torch.optim.SGD", {"path": "train.py", "line": 15})
        assert optimizer["learning_rate"]["text"] == "0.1 (default of `--lr`)"
        assert optimizer["learning_rate"]["values"] == [0.1]
        assert (loop["autocasts"][0]["dtypes"], loop["autocasts"][0]["devices"]) == (["bfloat16"], ["cuda"])
        assert (loop["accumulation"]["kind"], loop["accumulation"]["factor"]["values"]) == ("window", [4])
        assert loop["accumulation"]["test"] == "(step + 1) % 4 == 0"
        assert loop["clips"][0]["at"] == {"path": "engine.py", "line": 10}
        (scheduler,) = loop["schedulers"]
        assert (scheduler["stepped"], scheduler["is_in_iteration"]) == ([{"path": "train.py", "line": 21}], False)
        assert (loop["scalers"], loop["paths"]) == ([], 2)

    def test_loader(self, dnnlint: RunCommand) -> None:
        """Given, computed and absent arguments."""
        (loader,) = explained(dnnlint, "train.py")["data_loaders"]
        assert loader["role"] == "training"
        assert loader["num_workers"]["text"] == "4 (default of `--workers`)"
        assert loader["batch_size"]["values"] == [8]
        assert loader["pin_memory"]["text"] == "False (default of `DataLoader`)"

    def test_not_known(self, dnnlint: RunCommand) -> None:
        """A call of a file that is not there, and an option with a computed default."""
        document = explained(dnnlint, "train.py")
        (call,) = document["calls_not_followed"]
        assert (call["at"]["line"], call["receives"]) == (18, ["optimizer", "model"])
        (unknown,) = document["values_not_known"]
        assert (unknown["name"], unknown["option"]) == ("clip limit", "--clip")

    def test_other_scripts_stay_out(self, dnnlint: RunCommand) -> None:
        """A script shares a file with another script and says nothing of it; the shared file knows both."""
        assert explained(dnnlint, "train.py")["files"] == ["train.py", "engine.py"]
        assert set(explained(dnnlint, "engine.py")["files"]) == {"train.py", "other.py", "engine.py"}
        rates = [
            loop["optimizers"][0]["learning_rate"]["values"]
            for loop in explained(dnnlint, "engine.py")["training_loops"]
        ]
        assert sorted(rates) == [[0.1], [0.7]]
        assert [framework["name"] for framework in explained(dnnlint, "engine.py")["frameworks"]] == ["torch"]

    def test_text(self, dnnlint: RunCommand) -> None:
        """The same for people: places that editors recognise."""
        out = dnnlint("check", "--explain-program", "train.py").out
        assert "engine.py:5  `for step, (x, y) in enumerate(loader)`" in out
        assert "`torch.optim.SGD`, train.py:15, learning rate `args.lr` = 0.1 (default of `--lr`)" in out
        assert "clip            engine.py:10  `torch.nn.utils.clip_grad_norm_`" in out
        assert "train.py:18  `tune(model, optimizer)` receives optimizer, model" in out


def test_framework(project: Path, dnnlint: RunCommand) -> None:
    """Precision is up to an accelerator, whose making is shown; a configuration that is looked for in vain is not."""
    code = """\
        import accelerate
        import torch

        accelerator = accelerate.Accelerator(mixed_precision="fp16")
        model = torch.nn.Linear(2, 2)
        optimizer = torch.optim.AdamW(model.parameters())
        model, optimizer, loader = accelerator.prepare(model, optimizer, data)
        for x in loader:
            accelerator.backward(model(x).sum())
            optimizer.step()
            optimizer.zero_grad()
        """
    write(project, {"a.py": textwrap.dedent(code)})
    out = dnnlint("check", "--explain-program", "a.py").out
    assert 'a.py:4  `accelerate.Accelerator(mixed_precision="fp16")`' in out
    assert "(by accelerator)" in out
    assert "scaler          none in the code; the framework's settings decide" in out
    assert "learning rate not given: the default of `AdamW`" in out
    assert explained(dnnlint, "a.py")["also_read"] == []


@pytest.mark.parametrize("name", ["image_classification", "language_model"])
def test_examples(name: str, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bundled trainers hold one loop with all of its parts, an evaluation without gradients and two loaders."""
    monkeypatch.chdir(os.path.join(ROOT, "examples", name))
    document = explained(dnnlint, "train.py")
    (loop,) = document["training_loops"]
    for part in ("backwards", "steps", "zero_grads", "optimizers", "scalers", "autocasts", "clips", "schedulers"):
        assert len(loop[part]) >= 1, part
    assert loop["accumulation"]["factor"]["values"] == [4]
    (evaluation,) = document["evaluations"]
    assert evaluation["eval_mode_at"] is not None
    assert not evaluation["records_gradients"]
    assert len(document["data_loaders"]) == 2
    assert len(document["saves"]) == len(document["loads"]) == 1


def test_keys(project: Path, dnnlint: RunCommand) -> None:
    """The keys that docs/output.md promises, also of a file without training code."""
    write(project, {"a.py": "x = 1\n"})
    keys = "schema_version file files also_read frameworks training_loops evaluations data_loaders saves loads"
    assert list(explained(dnnlint, "a.py")) == [*keys.split(), "calls_not_followed", "values_not_known"]
    page = Path(ROOT, "docs", "output.md").read_text(encoding="utf-8")
    assert all(f'"{key}"' in page for key in explained(dnnlint, "a.py"))


REFUSED = {
    "missing": ("--explain-program none.py", "dnnlint: error: none.py: cannot be read: No such file or directory\n"),
    "no Python": ("--explain-program bad.py", "dnnlint: error: bad.py:1:5: syntax error: invalid syntax\n"),
    "too long a chain": ("--explain-program long.py", "dnnlint: error: long.py:1:1: an expression chains more than"),
    "a path beside it": ("--explain-program a.py a.py", "dnnlint: error: --explain-program takes one file and no"),
    "another format": ("--explain-program a.py --format sarif", "dnnlint: error: --explain-program prints text or"),
    "notebook": ("--explain-program a.ipynb", "dnnlint: error: a.ipynb: --explain-program takes Python files"),
}


@pytest.mark.parametrize(("arguments", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(arguments: str, message: str, project: Path, dnnlint: RunCommand) -> None:
    """Exit code 2 and one line that says why."""
    write(project, {"a.py": "x = 1\n", "bad.py": "def :\n", "long.py": f"x = {'1 + ' * 2_000}1\n"})
    run = dnnlint("check", *arguments.split())
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith(message)


def test_output_file(project: Path, dnnlint: RunCommand) -> None:
    """``--output`` takes the answer."""
    write(project, {"a.py": "x = 1\n"})
    assert dnnlint("check", "--explain-program", "a.py", "--output", "answer.txt").out == ""
    assert Path("answer.txt").read_text(encoding="utf-8").startswith("Program of a.py\n")


class TestNotJudged:
    """The notes of ``--verbose``."""

    def test_too_many_paths(self, project: Path, dnnlint: RunCommand) -> None:
        """Said by the check, from the cache too, and by the explanation; not without ``--verbose``."""
        write(project, {"a.py": BRANCHED})
        note = "dnnlint: not judged: a.py: one iteration of a training loop can go more than 256 ways"
        assert note in dnnlint("check", "--verbose").err
        again = dnnlint("check", "--verbose").err
        assert "1 of 1 files answered from the cache" in again
        assert note in again
        assert dnnlint("check").err == ""
        (loop,) = explained(dnnlint, "a.py")["training_loops"]
        assert loop["paths"] is None

    @pytest.mark.usefixtures("two_files")
    def test_call_not_followed(self, dnnlint: RunCommand) -> None:
        """By file, where several make up a program."""
        err = dnnlint("check", "--verbose", "--no-cache").err
        assert [line for line in err.splitlines() if "not judged" in line] == [
            "dnnlint: not judged: train.py: a call that receives an optimizer, a scaler or a model is not followed"
        ]

    def test_refused_file(self, project: Path, dnnlint: RunCommand) -> None:
        """Also where its finding is not wanted."""
        write(project, {"long.py": f"import torch\nx = {'1 + ' * 2_000}1\n"})
        run = dnnlint("check", "--verbose", "--ignore", "DNN003")
        assert "dnnlint: not judged: long.py: the file is not checked: an expression chains more than" in run.err
