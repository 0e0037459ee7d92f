"""Which files are worth an import of libcst."""

from __future__ import annotations

import warnings

import pytest

from dnnlint.engine.analyse import is_trivial
from dnnlint.engine.prefilter import compiles, concerns_training

WORDS = [
    "import torch",
    "from pytorch_lightning import Trainer",
    "accelerator = accelerate.Accelerator()",
    "tf.keras",
    "import tensorflow as tf",
    "loss.backward()",
    "opt.zero_grad()",
    "DataLoader(x)",
    "# dnnlint: ignore-file",
]


@pytest.mark.parametrize("text", WORDS)
def test_training_code_is_recognised(text: str) -> None:
    """A framework, a call of a training loop or a comment of ours makes a file worth parsing."""
    assert concerns_training(text.encode())
    assert not is_trivial("a.py", text.encode())


@pytest.mark.parametrize("text", ["", "import os\n", "x = 1  # a touch of history\n"])
def test_other_code_is_not_parsed(text: str) -> None:
    """A file without any of that is done when it compiles."""
    assert is_trivial("a.py", text.encode())


@pytest.mark.parametrize("text", ["def f(:\n", "print 'x'\n", "x = 1\0\n", "# coding: klingon\n"], ids=repr)
def test_broken_code_is_not_trivial(text: str) -> None:
    """A file that does not compile is looked at whatever it is about."""
    assert not is_trivial("a.py", text.encode())


def test_notebook_is_not_compiled() -> None:
    """A notebook is JSON; without a word of training it is done."""
    assert is_trivial("a.ipynb", b'{"cells": []}')


def test_invalid_escape_is_no_warning_of_ours() -> None:
    """The interpreter's warnings about checked code do not reach the terminal."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compiles(b"x = '\\d'\n")


def test_nesting_says_nothing_about_the_syntax() -> None:
    """Code too deep for the interpreter is not called broken."""
    assert compiles(b"x = " + b"-" * 100_000 + b"1")
