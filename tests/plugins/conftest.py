"""Plug-ins that are installed for one test: a module and the metadata of its distribution, in a folder on the path."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dnnlint.plugins import load_plugin
from tests.support import write

Install = Callable[..., Path]

HEAD = """\
from dnnlint.finding import FixSafety, Severity
from dnnlint.rule import NodeEdit, Option, Report, Rule

DNNLINT_API = 1


def check(program, settings):
    for call in program.calls_to(*settings["calls"]):
        edits = (NodeEdit("replace", call.node.func, "torch.good"),)
        yield Report(call.node, "`torch.bad` is called.", "Call `torch.good`.", edits=edits, fix_description="Fix it.")


CALLS = Option("calls", ("torch.bad",), "What is bad.")
"""
RULE = 'RULE = Rule("ABC101", "bad-house-call", Severity.ERROR, "", check, FixSafety.SAFE, (CALLS,))\n'
RULES = "RULES = [RULE]\n"
SOURCE = HEAD + RULE + RULES


@pytest.fixture
def install(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install a distribution with one plug-in; the module is removed and forgotten after the test."""
    modules: list[str] = []

    def add(name: str = "house", source: str = SOURCE, attribute: str = "", version: str = "1.0") -> Path:
        module = f"rules_of_{name.replace('-', '_')}"
        folder = tmp_path_factory.mktemp("site")
        entry = f"{module}:{attribute}" if attribute else module
        write(
            folder,
            {
                f"{module}.py": source,
                f"{module}-{version}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {module}\nVersion: {version}\n"
                "Project-URL: Homepage, https://example.org/home\nProject-URL: Documentation, https://example.org/docs\n",
                f"{module}-{version}.dist-info/entry_points.txt": f"[dnnlint.rules]\n{name} = {entry}\n",
            },
        )
        modules.append(module)
        monkeypatch.syspath_prepend(str(folder))
        return folder

    load_plugin.cache_clear()
    yield add
    load_plugin.cache_clear()
    for module in modules:
        sys.modules.pop(module, None)
