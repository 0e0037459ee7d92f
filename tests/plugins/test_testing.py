"""``dnnlint.testing`` on rules that are not installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dnnlint.engine.errors import UsageError
from dnnlint.finding import Severity
from dnnlint.program import Program
from dnnlint.rule import Option, Report, Rule, Settings
from dnnlint.testing import check_page, findings, pages

SOURCE = "import torch\n\ntorch.one()\ntorch.two()\n"
PAGE = """\
# call-of-one (ABC101)

```python
import torch

torch.one()  # error: [call-of-one]
torch.two()
```
"""


def report_calls(program: Program, settings: Settings) -> Iterator[Report]:
    """Report calls of what the option names."""
    names = settings["names"]
    assert isinstance(names, tuple)
    if names == ("crash",):
        raise ValueError("no idea")
    for call in program.calls_to(*names):
        yield Report(call.node, "It is called.", "Call nothing.")


NAMES = Option("names", ("torch.one",), "What is reported.")
RULE = Rule("ABC101", "call-of-one", Severity.ERROR, "", report_calls, options=(NAMES,))


def test_findings_of_a_text() -> None:
    """With the defaults, and with an option."""
    assert [(finding.code, finding.line) for finding in findings(RULE, SOURCE)] == [("ABC101", 3)]
    assert [finding.line for finding in findings(RULE, SOURCE, {"names": ("torch.one", "torch.two")})] == [3, 4]


def test_findings_of_a_rule_that_crashes() -> None:
    """A crash is not an empty list."""
    with pytest.raises(RuntimeError, match=r"call-of-one .* crashed: ValueError: no idea"):
        findings(RULE, SOURCE, {"names": ("crash",)})


def test_findings_with_an_unknown_option() -> None:
    """As in a configuration file."""
    with pytest.raises(UsageError, match='unknown key "name"'):
        findings(RULE, SOURCE, {"name": ("torch.one",)})


@pytest.mark.parametrize(
    ("old", "new", "problems"),
    [
        pytest.param("", "", [], id="true"),
        pytest.param("  # error: [call-of-one]", "", ["line 3: call-of-one is reported"], id="unmarked"),
        pytest.param("torch.one()", "torch.six()", ["line 3: call-of-one is not reported"], id="marked"),
    ],
)
def test_page_is_checked(old: str, new: str, problems: list[str], tmp_path: Path) -> None:
    """Each problem names the place in the page."""
    page = tmp_path / "page.md"
    page.write_text(PAGE.replace(old, new) if old else PAGE)
    assert check_page(RULE, page) == [f"{page}:3: {problem}" for problem in problems]


def test_page_without_examples_is_an_error(tmp_path: Path) -> None:
    """It would otherwise pass, as would one that was renamed."""
    (tmp_path / "empty.md").write_text("# call-of-one (ABC101)\n")
    with pytest.raises(UsageError, match="no page with examples"):
        check_page(RULE, tmp_path / "empty.md")
    with pytest.raises(UsageError, match="cannot read the page"):
        check_page(RULE, tmp_path / "missing.md")
    with pytest.raises(UsageError, match=r"call_of_one\.md: no page with examples"):
        pages(RULE)


def test_page_of_a_built_in_rule_is_checked() -> None:
    """The same functions serve the catalogue."""
    from dnnlint.rules.amp.autocast_without_device import RULE as built_in

    assert check_page(built_in) == []
    assert [finding.line for finding in findings(built_in, "import torch\ntorch.autocast()\n")] == [2]
    assert len(pages([built_in])) > 3
