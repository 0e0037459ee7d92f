"""``dnnlint estimate`` as a command: options, exit codes, and whole runs in the child process."""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dnnlint.commands import estimate as command
from dnnlint.estimators import EstimateError, EstimateOptions, asking
from dnnlint.estimators.options import InputSpec, OptimizerSpec
from dnnlint.estimators.report import VerdictStatus, schema

Write = Callable[..., Path]

needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None or importlib.util.find_spec("fvcore") is None,
    reason="a whole run needs PyTorch and fvcore",
)
MODEL = "from torch import nn\nmodel = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 10))\n"


def parse(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    return parser.parse_args(["estimate", *arguments])


def run(*arguments: str) -> int:
    args = parse(*arguments)
    code = args.run(args)
    assert isinstance(code, int)
    return code


def test_every_option_is_read() -> None:
    """The command line and the Python options say the same."""
    args = parse(
        "m.py", "--batch", "4", "--input", "3x8x8", "--seq-len", "5", "--image-size", "6", "--precision", "bf16",
        "--optimizer", "sgd:momentum=0.9", "--foreach", "--no-fused", "--mode", "train", "--attention", "math",
        "--checkpointing", "--accumulate", "2", "--clip", "1", "--zero-grad", "keep", "--freeze", "a.*", "--gpu", "t4",
        "--gpu-memory", "8GiB", "--headroom", "0.1", "--max-batch", "--alloc-conf", "expandable_segments:True",
        "--steps", "4", "--arg", "k=v", "--entry", "net", "--timeout", "9", "--memory-limit", "2GiB",
    )  # fmt: skip
    assert command.read_options(args) == EstimateOptions(
        batch=4, inputs=(InputSpec((3, 8, 8)),), seq_len=5, image_size=6, precision="bf16",
        optimizer=OptimizerSpec("sgd", (("momentum", 0.9),)), foreach=True, fused=False, mode="train",
        attention="math", checkpointing=True, accumulate=2, clip=1.0, zero_grad="keep", freeze=("a.*",), gpu="t4",
        gpu_memory_bytes=8 << 30, headroom=0.1, max_batch=True, alloc_conf="expandable_segments:True", steps=4,
        arguments=(("k", "v"),), entry="net", timeout_s=9.0, memory_limit_bytes=2 << 30,
    )  # fmt: skip


def test_defaults_are_those_of_the_python_interface() -> None:
    """No option given: the dataclass's own defaults."""
    assert command.read_options(parse("m.py")) == EstimateOptions()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--batch", "0"], "--batch is 0", id="batch-0"),
        pytest.param(["--gpu", "voodoo"], "no GPU 'voodoo'", id="unknown-gpu"),
        pytest.param(["--gpu", "v100"], "fits several", id="ambiguous-gpu"),
        pytest.param(["--optimizer", "adan"], "--optimizer 'adan'", id="unknown-optimizer"),
        pytest.param(["--input", "what"], "--input 'what'", id="input"),
        pytest.param(["--input", "a:3", "--input", "3"], "names some inputs", id="inputs-half-named"),
        pytest.param(["--arg", "a=1", "--arg", "a=2"], "one name twice", id="argument-twice"),
        pytest.param(["--gpu-memory", "lots"], "--gpu-memory 'lots'", id="gpu-memory"),
        pytest.param(["--memory-limit", "lots"], "--memory-limit 'lots'", id="memory-limit"),
        pytest.param(["--alloc-conf", "a:b"], "--alloc-conf", id="alloc-conf"),
        pytest.param(["--precision", "fp4"], "--precision", id="precision"),
    ],
)
def test_bad_options_end_with_2_and_one_message(
    write: Write, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    """Before any child process; the help line follows."""
    assert run(str(write(MODEL)), *arguments) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert "help: " in printed.err
    assert len(printed.err.splitlines()) == 2
    assert not printed.out


def test_missing_libraries_are_named(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without PyTorch the message says what to install."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(EstimateError, match="needs torch") as caught:
        asking.check(str(write(MODEL)), EstimateOptions())
    assert "dnnlint[estimate]" in caught.value.help


@pytest.mark.parametrize(
    ("status", "code"),
    [(VerdictStatus.FITS, 0), (VerdictStatus.DOES_NOT_FIT, 1), (VerdictStatus.CANNOT_TELL, 2)],
)
def test_verdict_decides_the_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], status: VerdictStatus, code: int
) -> None:
    """In both formats."""
    monkeypatch.setattr(command, "estimate", lambda target, options, show: _result(status))
    assert run("m.py") == code
    assert status.value in capsys.readouterr().out
    assert run("m.py", "--format", "json") == code
    assert json.loads(capsys.readouterr().out)["verdict"]["status"] == status.value


def _result(status: VerdictStatus) -> schema.Estimate:
    memory = schema.Memory(1, 1, 1)
    return schema.Estimate(
        target="m.py", entry="", config={}, device=schema.DeviceReport("gpu", 1, "8.0", 1, 1, 1, "", ""), peak=memory,
        phases={}, first_step=memory, at_peak=schema.AtPeak(1, 0, 0, 0, 0, 0, 0, 0, 0),
        peak_at=schema.PeakPlace("forward", "", ""), modules=(), parameters=1, trainable_parameters=1,
        flops_per_step=None, operators=1, timeline=(), interval=schema.Interval(1, 1, ""),
        verdict=schema.Verdict(status, None, 0.2, None, "reason"), max_batch=None, assumptions=(), placeholders=(),
        not_modelled=(), warnings=(), sandbox={}, versions={}, seconds={},
    )  # fmt: skip


def test_progress_is_shown_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe gets nothing; a terminal gets a function that shows the stage."""
    with command._progress(True) as show:
        assert show is None
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with command._progress(True) as show:
        assert show is not None
        show("building")
    with command._progress(False) as show:
        assert show is None


@needs_torch
def test_whole_run_in_the_child(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    """Through the sandbox and back: JSON with every promised key, parts that sum to the peak."""
    assert run(str(write(MODEL)), "--batch", "4", "--format", "json") == 0
    data = json.loads(capsys.readouterr().out)
    promised = {"schema_version", "target", "config", "device", "peak", "phases", "first_step", "at_peak", "modules"}
    assert promised | {"interval", "verdict", "max_batch", "warnings"} <= data.keys()
    assert sum(data["at_peak"].values()) == data["peak"]["allocated_bytes"]
    assert data["config"]["batch"] == {"value": 4, "source": "--batch"}
    assert set(data["sandbox"]) == {"network", "files", "memory"}


@needs_torch
@pytest.mark.parametrize(
    ("source", "helper", "message"),
    [
        pytest.param("x = 1\n", "", "no model", id="no-model"),
        pytest.param("class A(nn.Module): ...\nclass B(nn.Module): ...\n", "", "2 candidates", id="two-candidates"),
        pytest.param(
            "from helper import w\nmodel = nn.Linear(w, 2)\n",
            "while True: pass",
            "No estimate within",
            id="infinite-loop",
        ),
        pytest.param(
            "from helper import w\nmodel = nn.Linear(w, 2)\n", "import os\nos._exit(0)", "exit status 0", id="os._exit"
        ),
        pytest.param(
            "from helper import w\nmodel = nn.Linear(w, 2)\n",
            "b = bytearray(200 << 30)\nw = 1",
            "host memory",
            id="200-GB",
        ),
        pytest.param(
            "from helper import w\nmodel = nn.Linear(w, 2)\n",
            "import ctypes\nctypes.string_at(0)",
            "SIGSEGV",
            id="crash",
        ),
    ],
)
def test_bad_targets_end_with_2_and_one_message(
    write: Write, capsys: pytest.CaptureFixture[str], source: str, helper: str, message: str
) -> None:
    """Whatever the target does, there is one clear message."""
    write(helper + "\n", "helper.py")
    assert run(str(write(f"from torch import nn\n{source}")), "--timeout", "8") == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert "help: " in printed.err


@needs_torch
def test_parent_stays_without_torch(write: Write) -> None:
    """The command itself never imports PyTorch: only its child does."""
    code = (
        "import sys, argparse\nfrom dnnlint.commands import estimate\np = argparse.ArgumentParser()\n"
        "estimate.add_parser(p.add_subparsers())\na = p.parse_args(sys.argv[1:])\ncode = a.run(a)\n"
        "assert 'torch' not in sys.modules and 'libcst' not in sys.modules\nraise SystemExit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "estimate", str(write(MODEL))], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Alive at the peak" in done.stdout


STARTUP = "import sys, torch\nfrom dnnlint.estimators.startup import keep_compiler_away\nkeep_compiler_away()\n"


@needs_torch
@pytest.mark.parametrize(
    "code",
    [
        pytest.param(
            "p = torch.nn.Parameter(torch.ones(2))\no = torch.optim.SGD([p], lr=0.1)\np.sum().backward()\no.step()\n"
            "assert 'torch._dynamo.eval_frame' not in sys.modules and 'sympy.core' not in sys.modules\n"
            "assert not hasattr(torch._dynamo.utils, '__file__')\n"
            "assert torch._dynamo.disable(len) is len and torch._dynamo.disable()(len) is len\n",
            id="a-step-needs-neither",
        ),
        pytest.param(
            "before = torch._dynamo\nimport torch._dynamo.config as config\n"
            "assert torch._dynamo.config is config is sys.modules['torch._dynamo.config']\n"
            "assert before.eval_frame is torch._dynamo.eval_frame\n"
            "assert config.__spec__.name == 'torch._dynamo.config'\n",
            id="a-submodule-loads-the-real-compiler-once",
        ),
        pytest.param(
            "import sympy as s\nfake = s.Basic\nassert not isinstance(3, fake)\n"
            "from sympy.core import kind\nimport sympy\nassert sympy.core.kind is kind\n"
            "assert s.Basic is sympy.Basic is not fake\nassert str(s.Symbol('x') + 1) == 'x + 1'\n",
            id="sympy-loads-when-it-is-meant",
        ),
        pytest.param(
            "model = torch.compile(torch.nn.Linear(2, 2), backend='eager')\n"
            "assert model(torch.ones(1, 2)).shape == (1, 2)\n",
            id="compilation-works",
        ),
    ],
)
def test_compiler_comes_only_when_asked_for(code: str) -> None:
    """PyTorch's compiler and sympy cost more than an estimate; whoever asks gets the real ones."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", STARTUP + code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
