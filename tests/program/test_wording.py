"""Words for messages: code on one line, values with where they come from."""

from __future__ import annotations

import libcst as cst
import pytest

from dnnlint.program import build_program
from dnnlint.program.values import Const, Setting
from dnnlint.program.wording import described, option_name, quoted

BROKEN_CALL = """\
load(
    "weights.pt",  # of the last run
    [
        1,
    ],
)
"""
LONG_CALL = f"load({', '.join(f'argument_{n}' for n in range(20))})"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param("load( 'a  b' )", "`load( 'a b' )`", id="as-written"),
        pytest.param(BROKEN_CALL, '`load("weights.pt", [1])`', id="line-breaks-and-comments"),
        pytest.param(LONG_CALL, "`load(argument_0, argument...argument_19)`", id="shortened-in-the-middle"),
        pytest.param("8", "8", id="number"),
    ],
)
def test_code_is_quoted_on_one_line(code: str, expected: str) -> None:
    """What a formatter adds is taken out, and a long text keeps its beginning and its end."""
    program = build_program(cst.parse_module(f"show({code})"))
    (show,) = program.resolver.sites_named("show")
    assert quoted(program, show.node.args[0].value, 40) == expected


def setting(source: str, *defaults: int) -> Setting:
    """The option ``num_workers`` of a kind, with defaults."""
    return Setting("num_workers", source, 0, tuple(Const(default) for default in defaults), None)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param((Const(0), Const(2), Const(0)), "0 or 2", id="constants"),
        pytest.param((setting("argparse", 4),), "4 (default of `--num-workers`)", id="argparse"),
        pytest.param((setting("dataclass", 4),), "4 (default of the field `num_workers`)", id="field"),
        pytest.param((setting("yaml", 4),), "4 (default of `num_workers`)", id="elsewhere"),
        pytest.param((Const(1), setting("argparse")), "", id="not-known"),
        pytest.param((), "", id="nothing"),
    ],
)
def test_values_say_where_they_come_from(values: tuple[Const | Setting, ...], expected: str) -> None:
    """A default names its option; one unknown value leaves nothing to say."""
    assert described(values) == expected


def test_option_is_spelt_as_on_the_command_line() -> None:
    """Options of argparse and click have dashes, fields and parameters do not."""
    names = [option_name((setting(source, 1),)) for source in ("argparse", "click", "parameter")]
    assert names == ["`--num-workers`", "`--num-workers`", "`num_workers`"]
    assert option_name((Const(1),)) == ""
