"""Programs over several files: imports, callers, and what the check of a file depends on."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from dnnlint.config.model import Config, Overrides
from dnnlint.config.selectors import Selectors
from dnnlint.config.settings import SettingsResolver
from dnnlint.engine.check import CheckOptions, check_targets
from dnnlint.engine.discovery import Target
from dnnlint.engine.model import RunResult
from dnnlint.project.tree import ProjectTree, project_root

ENGINE = """\
import torch
{imports}

def train_one_epoch(model, loader, optimizer, scaler=None):
    for images, targets in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(images), targets)
        loss.backward()
        {before}
        optimizer.step()
"""
MAIN = """\
import torch
from {module} import train_one_epoch

def main():
    model = torch.nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(range(8))
    for epoch in range(3):
        train_one_epoch(model, loader, optimizer)

main()
"""
HELPER = """\
import torch

def limit(model):
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)

def measure(model):
    return sum(p.grad.norm() for p in model.parameters())
"""


def write(folder: Path, files: dict[str, str]) -> list[str]:
    """Write files below a folder; the names of the Python files."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return [name for name in files if name.endswith(".py")]


def check(folder: Path, code: str, names: list[str], cache: Path | None = None) -> RunResult:
    """Check some files of a folder with one rule."""
    selectors = Selectors()
    resolver = SettingsResolver(selectors, Overrides(select=(code,)))
    config = Config(str(folder))
    targets = [Target(str(folder / name), name, config, str(folder)) for name in sorted(names)]
    return check_targets(targets, selectors, resolver, CheckOptions(1, str(cache) if cache else None))


def places(result: RunResult) -> list[tuple[str, int]]:
    """Where a result points to."""
    assert not result.errors
    return [(finding.path, finding.line) for finding in result.findings]


LAYOUTS = {
    "beside the script": ("train.py", "engine.py", "engine", "helper", "helper.py"),
    "folder": ("train.py", "lib/engine.py", "lib.engine", ".helper", "lib/helper.py"),
    "package": ("tools/train.py", "lib/__init__.py|lib/engine.py", "lib.engine", "lib.helper", "lib/helper.py"),
    "source folder": ("train.py", "src/lib/engine.py", "lib.engine", "..lib.helper", "src/lib/helper.py"),
}


@pytest.mark.parametrize(("clips", "expected"), [(True, False), (False, True)], ids=["clips", "measures"])
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_helper_of_another_file(layout: tuple[str, ...], clips: bool, expected: bool, tmp_path: Path) -> None:
    """A helper counts as what it does, wherever the project keeps it."""
    script, engine, module, helper, helper_file = layout
    name = "limit" if clips else "measure"
    *inits, engine_file = engine.split("|")
    files = dict.fromkeys(inits, "") | {
        ".git/config": "",
        script: MAIN.format(module=module),
        engine_file: ENGINE.format(imports=f"from {helper} import {name}", before=f"{name}(model)"),
        helper_file: HELPER,
    }
    result = check(tmp_path, "DNN301", write(tmp_path, files))
    assert bool(places(result)) is expected
    assert all(path == engine_file for path, _ in places(result))


IMPORTS = {
    "module": ("import helper", "helper.limit(model)"),
    "module under another name": ("import helper as h", "h.limit(model)"),
    "function under another name": ("from helper import limit as shorten", "shorten(model)"),
    "star": ("from helper import *", "limit(model)"),
    "inside the function": ("", "from helper import limit; limit(model)"),
}


@pytest.mark.parametrize(("imports", "call"), IMPORTS.values(), ids=IMPORTS)
def test_forms_of_import(imports: str, call: str, tmp_path: Path) -> None:
    """Each form of import leads to the function."""
    files = {"train.py": MAIN.format(module="engine"), "helper.py": HELPER}
    clean = files | {"engine.py": ENGINE.format(imports=imports, before=call)}
    assert places(check(tmp_path, "DNN301", write(tmp_path, clean))) == []
    measured = call.replace("limit", "measure").replace("shorten", "shorten")
    faulty = files | {"engine.py": ENGINE.format(imports=imports.replace("limit", "measure"), before=measured)}
    assert [path for path, _ in places(check(tmp_path, "DNN301", write(tmp_path, faulty)))] == ["engine.py"]


def test_name_that_the_package_passes_on(tmp_path: Path) -> None:
    """``from lib import limit`` of what ``lib/__init__.py`` imports."""
    engine = ENGINE.format(imports="from lib import limit", before="limit(model)")
    files = {"train.py": MAIN.format(module="engine"), "engine.py": engine}
    files |= {"lib/__init__.py": "from .inner import limit\n", "lib/inner.py": HELPER}
    assert places(check(tmp_path, "DNN301", write(tmp_path, files))) == []


def test_import_in_a_circle(tmp_path: Path) -> None:
    """Two files that import each other are followed once."""
    engine = ENGINE.format(imports="import train", before="train.shorten(model)")
    train = MAIN.format(module="engine") + "from helper import shorten\n"
    files = {"train.py": train, "engine.py": engine, "helper.py": "from train import shorten\n"}
    assert places(check(tmp_path, "DNN301", write(tmp_path, files))) == []


EVALUATION = """\
import torch

def evaluate(model: torch.nn.Module, loader):
    model.eval()
    correct = 0
    for images, targets in loader:
        correct += (model(images).argmax(1) == targets).sum().item()
    return correct
"""
CALLER = """\
import torch
from evaluation import evaluate

model = torch.nn.Linear(8, 2)
loader = torch.utils.data.DataLoader(range(8))
{call}
"""
CALLS = {
    "held": ("with torch.no_grad():\n    evaluate(model, loader)", []),
    "not held": ("evaluate(model, loader)", ["evaluation.py"]),
}


@pytest.mark.parametrize(("call", "expected"), CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("checked", [["evaluation.py"], ["evaluation.py", "run.py"]], ids=["alone", "with the caller"])
def test_context_that_a_caller_holds(checked: list[str], call: str, expected: list[str], tmp_path: Path) -> None:
    """A function is judged by its callers, also where they are not among the files to check."""
    write(tmp_path, {"evaluation.py": EVALUATION, "run.py": CALLER.format(call=call)})
    assert [path for path, _ in places(check(tmp_path, "DNN502", checked))] == expected


BASE = """\
import torch

class Base:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def update(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        {clip}
        self.optimizer.step()
"""
TRAINER = """\
import torch
from base import Base

class Trainer(Base):
    def fit(self, loader):
        for images, targets in loader:
            self.update(torch.nn.functional.cross_entropy(self.model(images), targets))

Trainer(torch.nn.Linear(8, 2)).fit(torch.utils.data.DataLoader(range(8)))
"""


def test_class_over_several_files(tmp_path: Path) -> None:
    """A trainer whose base class clips, or does not, in another file."""
    names = write(tmp_path, {"base.py": BASE.format(clip="pass"), "trainer.py": TRAINER})
    assert {path for path, _ in places(check(tmp_path, "DNN301", names))} <= {"base.py", "trainer.py"}
    assert places(check(tmp_path, "DNN301", names)) != []
    clip = "torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)"
    names = write(tmp_path, {"base.py": BASE.format(clip=clip), "trainer.py": TRAINER})
    assert places(check(tmp_path, "DNN301", names)) == []


OPTIONS = """\
import argparse

def get_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default={default})
    return parser.parse_args()
"""
LOADER = """\
import torch
from options import get_args

args = get_args()
loader = torch.utils.data.DataLoader(range(8), num_workers=args.workers, shuffle=True)
"""


@pytest.mark.parametrize(("default", "expected"), [(2, [("train.py", 5)]), (10, [])])
def test_options_of_another_file(default: int, expected: list[tuple[str, int]], tmp_path: Path) -> None:
    """The parser lies in one file, the loader in another."""
    names = write(tmp_path, {"options.py": OPTIONS.format(default=default), "train.py": LOADER})
    assert places(check(tmp_path, "DNN401", names)) == expected


class TestCache:
    """What a changed file makes stale."""

    FILES = {  # noqa: RUF012 - read only
        "train.py": MAIN.format(module="engine"),
        "engine.py": ENGINE.format(imports="from helper import limit", before="limit(model)"),
        "helper.py": HELPER,
        "other.py": "import torch\nloader = torch.utils.data.DataLoader(range(8))\n",
    }

    def test_unchanged(self, tmp_path: Path) -> None:
        """Everything comes from the cache."""
        names = write(tmp_path, self.FILES)
        first = check(tmp_path, "DNN301", names, tmp_path / "cache")
        again = check(tmp_path, "DNN301", names, tmp_path / "cache")
        assert (first.cached, again.cached, again.findings) == (0, 4, first.findings)

    def test_imported_file_changed(self, tmp_path: Path) -> None:
        """Those that are linked with it are checked again, others are not."""
        names = write(tmp_path, self.FILES)
        assert places(check(tmp_path, "DNN301", names, tmp_path / "cache")) == []
        helper = HELPER.replace("torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)", "print(model)")
        write(tmp_path, {"helper.py": helper})
        again = check(tmp_path, "DNN301", names, tmp_path / "cache")
        assert [path for path, _ in places(again)] == ["engine.py"]
        assert again.cached == 1

    def test_caller_added(self, tmp_path: Path) -> None:
        """A new file that imports another changes what that one means."""
        names = write(tmp_path, {"evaluation.py": EVALUATION})
        assert len(places(check(tmp_path, "DNN502", names, tmp_path / "cache"))) == 1
        write(tmp_path, {"run.py": CALLER.format(call=CALLS["held"][0])})
        assert places(check(tmp_path, "DNN502", names, tmp_path / "cache")) == []


def test_root_of_a_project(tmp_path: Path) -> None:
    """A marker, else the folder that was walked, else the folder of the package."""
    write(tmp_path, {"a/pyproject.toml": "", "a/b/c.py": "", "d/e/__init__.py": "", "d/e/f.py": "", "g/h/i.py": ""})
    assert project_root(str(tmp_path / "a/b/c.py")) == str(tmp_path / "a")
    assert project_root(str(tmp_path / "d/e/f.py")) == str(tmp_path / "d")
    assert project_root(str(tmp_path / "g/h/i.py"), str(tmp_path / "g")) == str(tmp_path / "g")


FOUND = {
    "library": ("torch.nn", "", None),
    "name of a library beside a script": ("datasets.voc", "datasets/voc.py", ("datasets/voc.py", "")),
    "name of the standard library in a package": ("logging.info", "__init__.py|logging.py", None),
    "folder on sys.path": ("deep.thing.name", "extra/deep/thing.py", ("extra/deep/thing.py", "name")),
    "nothing there": ("missing.thing", "", None),
}


@pytest.mark.parametrize(("name", "files", "expected"), FOUND.values(), ids=FOUND)
def test_module_behind_a_name(name: str, files: str, expected: tuple[str, str] | None, tmp_path: Path) -> None:
    """Libraries stay libraries; the project's own files are found where Python would find them."""
    write(tmp_path, {file: "" for file in files.split("|") if file})
    write(tmp_path, {"train.py": "import sys\nsys.path.insert(0, 'extra')\n"})
    found = ProjectTree(str(tmp_path)).find(name, str(tmp_path / "train.py"))
    assert found == (expected and (str(tmp_path / expected[0]), expected[1]))


def test_packages_that_pass_on_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten packages that import everything of each other are looked through once a depth, not once a way."""
    names = [f"part_{n}" for n in range(10)]
    stars = "".join(f"from {name} import *\n" for name in names)
    write(tmp_path, {"setup.py": "", "train.py": stars, **{f"{name}/__init__.py": stars for name in names}})
    searches: list[str] = []
    find = ProjectTree.find

    def counted(tree: ProjectTree, name: str, importer: str) -> tuple[str, str] | None:
        searches.append(name)
        return find(tree, name, importer)

    monkeypatch.setattr(ProjectTree, "find", counted)
    found = ProjectTree(str(tmp_path)).edges(str(tmp_path / "train.py"))
    assert {Path(path).parent.name for path in found} == set(names)
    assert len(searches) < 1_000


HOOKED = """\
import torch
{imports}

class Runner:
    def __init__(self, model, hooks):
        self.model = model
        self.hooks = hooks
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def call(self, name):
        for hook in self.hooks:
            {call}

    def fit(self, loader):
        for images, targets in loader:
            self.optimizer.zero_grad()
            torch.nn.functional.cross_entropy(self.model(images), targets).backward()
            self.call("before_step")
            self.optimizer.step()

Runner(torch.nn.Linear(2, 2), []).fit(torch.utils.data.DataLoader(range(4)))
"""
HOOK_CALLS = {
    "by a name": ("getattr(hook, name)(self)", True),
    "by a method": ("hook.before_step(self)", True),
    "that gets nothing": ("print(name)", False),
}


@pytest.mark.parametrize(("call", "may_clip"), HOOK_CALLS.values(), ids=HOOK_CALLS)
def test_hook_that_gets_the_trainer(call: str, may_clip: bool, tmp_path: Path) -> None:
    """It may clip; a call that hands nothing over cannot."""
    names = write(tmp_path, {"runner.py": HOOKED.format(imports="", call=call)})
    assert (places(check(tmp_path, "DNN301", names)) == []) is may_clip


OPTION_SCRIPT = """\
import argparse
from {module} import fit

parser = argparse.ArgumentParser()
parser.add_argument("--accum-steps", type=int, default=4)
args = parser.parse_args()
fit(args)
"""
OPTION_READER = """\
import torch

def fit(args):
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for images in torch.utils.data.DataLoader(range(8)):
        optimizer.zero_grad()
        (model(images).mean() / {reads}).backward()
        optimizer.step()
"""


@pytest.mark.parametrize(("reads", "expected"), [("args.accum_steps", []), ("3", [("train.py", 5)])])
def test_option_that_another_file_reads(reads: str, expected: list[tuple[str, int]], tmp_path: Path) -> None:
    """An option is unread only where no file that gets the options reads it."""
    files = {"train.py": OPTION_SCRIPT.format(module="engine"), "engine.py": OPTION_READER.format(reads=reads)}
    assert places(check(tmp_path, "DNN206", write(tmp_path, files))) == expected


LIMIT_SCRIPT = OPTION_SCRIPT.replace("--accum-steps", "--clip-grad").replace(
    "import argparse", "import argparse\nimport torch"
)
LIMIT_READER = """\
import torch

def fit(args):
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for images in torch.utils.data.DataLoader(range(8)):
        optimizer.zero_grad()
        model(images).mean().backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), {reads})
        optimizer.step()
"""


@pytest.mark.parametrize(("reads", "expected"), [("args.clip_grad", []), ("1.0", [("train.py", 6)])])
def test_limit_that_another_file_reads(reads: str, expected: list[tuple[str, int]], tmp_path: Path) -> None:
    """The same for a limit of the gradients."""
    files = {"train.py": LIMIT_SCRIPT.format(module="engine"), "engine.py": LIMIT_READER.format(reads=reads)}
    assert places(check(tmp_path, "DNN304", write(tmp_path, files))) == expected
