"""What is known of command lines: options of nvidia-smi, launchers, and shell text as words."""

from __future__ import annotations

import pytest

from dnnlint.knowledge.launchers import has_deprecated_launcher, with_torchrun
from dnnlint.knowledge.nvidia_smi import unknown_options
from dnnlint.knowledge.shell import arguments_for, simple_commands


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a b; c && d | e", [["a", "b"], ["c"], ["d"], ["e"]], id="separators"),
        pytest.param("a \\\n b\nc", [["a", "b"], ["c"]], id="lines"),
        pytest.param("a 'b ; c' # d", [["a", "b ; c"]], id="quotes-and-comment"),
        pytest.param("x=$(a b)", [["x=$"], ["a", "b"]], id="substitution"),
        pytest.param("a 'b", [], id="open-quote"),
    ],
)
def test_simple_commands(text: str, expected: list[list[str]]) -> None:
    """A command line is taken apart as a shell does it, and an open quote gives nothing."""
    assert simple_commands(text) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(["/usr/bin/tool", "-x"], ["-x"], id="path"),
        pytest.param(["C:\\bin\\tool.exe", "-x"], ["-x"], id="windows"),
        pytest.param(["sudo", "A=1", "tool"], [], id="sudo"),
        pytest.param(["A=1", "tool", "-x"], ["-x"], id="assignment"),
        pytest.param(["echo", "tool", "-x"], None, id="argument-of-another"),
        pytest.param(["other"], None, id="absent"),
    ],
)
def test_arguments_for(words: list[str], expected: list[str] | None) -> None:
    """A program is found where it is run, and not where its name is an argument."""
    assert arguments_for(words, "tool") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("nvidia-smi --gpu-memory-limit=8192", ["--gpu-memory-limit"], id="value-attached"),
        pytest.param("nvidia-smi -i $GPU --memory-limit 8000", ["--memory-limit"], id="behind-a-variable"),
        pytest.param("watch -n 1 nvidia-smi --foo | nvidia-smi -pm 1", ["--foo"], id="first-of-two"),
        pytest.param("nvidia-smi -ml 8000", ["-ml"], id="short"),
        pytest.param("nvidia-smi --query-gpu=name --format=csv -lms 500 -i0", [], id="query"),
        pytest.param("nvidia-smi --help-query-gpu", [], id="help"),
        pytest.param("nvidia-smi -q > -x.txt", [], id="redirection"),
        pytest.param("nvidia-smi topo --anything", [], id="subcommand"),
        pytest.param("nvidia-smi $ARGS --anything", [], id="unknown-first-word"),
        pytest.param("nvidia-smi -q $ARGS", [], id="unknown-later-word"),
    ],
)
def test_unknown_options(text: str, expected: list[str]) -> None:
    """Options of the program itself are checked, those of subcommands and unknown words are not."""
    assert unknown_options(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("python -m torch.distributed.launch train.py", True, id="plain"),
        pytest.param("A=1 python3.10 -u -m torch.distributed.launch train.py", True, id="version-and-flag"),
        pytest.param("$PYTHON -m torch.distributed.launch train.py", True, id="variable"),
        pytest.param("cd x && python -m torch.distributed.launch train.py", True, id="second-command"),
        pytest.param("python -m torch.distributed.run train.py", False, id="run"),
        pytest.param("grep -m torch.distributed.launch", False, id="not-python"),
    ],
)
def test_deprecated_launcher(text: str, expected: bool) -> None:
    """The launcher is known by its module, run by an interpreter."""
    assert has_deprecated_launcher(text) is expected


def test_torchrun_takes_the_place_where_the_script_reads_the_environment() -> None:
    """The option ``--use_env`` goes, the rest stays."""
    text = "python -m torch.distributed.launch --use_env --nproc_per_node=2 train.py --lr 1"
    assert with_torchrun(text) == "torchrun --nproc_per_node=2 train.py --lr 1"


def test_no_torchrun_where_the_script_takes_its_rank_as_an_option() -> None:
    """Without ``--use_env`` the script gets ``--local_rank``, which torchrun does not pass."""
    assert with_torchrun("python -m torch.distributed.launch train.py") is None
