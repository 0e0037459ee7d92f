"""Words for messages: what a value is and where it comes from."""

from __future__ import annotations

from dnnlint.program.values import Const, Setting, Value, Values

_SOURCES = {
    "argparse": "default of --{}",
    "click": "default of the option {}",
    "typer": "default of the option {}",
    "dataclass": "default of the field {}",
    "parameter": "default of the parameter {}",
}


def describe(values: Values) -> str:
    """For example ``4 (default of --workers)`` or ``0 or 2``; an empty string where a value is not known."""
    texts = [_one(value) for value in values]
    return "" if not texts or "" in texts else " or ".join(dict.fromkeys(texts))


def _one(value: Value) -> str:
    if isinstance(value, Const):
        return repr(value.value)
    if isinstance(value, Setting) and value.defaults:
        inner = describe(value.defaults)
        name = value.name.replace("_", "-") if value.source == "argparse" else value.name
        return f"{inner} ({_SOURCES.get(value.source, 'default of {}').format(name)})" if inner else ""
    return ""
