"""The documentation pages of the rules: complete, in their form, and true."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from dnnlint.config.model import Config, Overrides
from dnnlint.config.selectors import Selectors
from dnnlint.config.settings import SettingsResolver
from dnnlint.engine.analyse import Job, check_file
from dnnlint.engine.make_table import load_rules, main, rule_modules, rules_folder
from dnnlint.rule_docs import SECTIONS, Page, parse_page, read_page
from dnnlint.rules import RuleInfo, rule_index
from dnnlint.testing import Case, Example, differences, examples_of, pages

INFOS = list(rule_index().values())
SOURCE = re.compile(r"- [A-Z][\w. ]+, \[[^\]]+\]\(https://[^\s)]+\)")
"""Who, the title, and where; for example ``- PyTorch, [torch.load](https://...)``."""

REQUIRED = {"What it does", "Why it matters", "Example", "Use instead", "When not to apply"}


@pytest.mark.parametrize("case", pages(INFOS))
def test_example_is_reported_as_the_page_shows(case: Case) -> None:
    """A marked line is reported, an unmarked one is not, and a fixed block is what the fixes give."""
    assert case.problems() == []


@pytest.mark.parametrize("info", INFOS, ids=lambda info: info.code)
def test_page_has_its_sections_in_order(info: RuleInfo) -> None:
    """Every page has the same sections; those about fixes and options stand where there are any."""
    page = read_page(info)
    assert page.text.startswith(f"# {info.name} ({info.code})\n")
    assert list(page.sections) == [name for name in SECTIONS if name in page.sections]
    required = REQUIRED | ({"Fix safety"} if info.fix else set()) | ({"Options"} if info.options else set())
    assert required <= set(page.sections)
    assert all(page.sections[name] for name in page.sections)


@pytest.mark.parametrize("info", INFOS, ids=lambda info: info.code)
def test_page_names_every_option(info: RuleInfo) -> None:
    """An option that the page does not explain is an option nobody finds."""
    text = read_page(info).sections.get("Options", "")
    assert [name for name, _, _ in info.options if f"`{name}`" not in text] == []


@pytest.mark.parametrize("info", [info for info in INFOS if info.family != "engine"], ids=lambda info: info.code)
def test_page_shows_both_sides(info: RuleInfo) -> None:
    """Every rule has an example that it reports and one that it leaves alone."""
    expected = [example.expected for example in examples_of(read_page(info))]
    assert any(expected)
    assert not all(expected)


@pytest.mark.parametrize("info", [info for info in INFOS if info.family != "engine"], ids=lambda info: info.code)
def test_page_states_limits_and_sources(info: RuleInfo) -> None:
    """A page says what the rule does not see, names its sources with their titles, and ends with the clause."""
    sections = read_page(info).sections
    assert "\nNot seen: " in sections["When not to apply"]
    *sources, clause = sections["References"].splitlines()
    assert clause == f"- The specification, {info.clause}"
    assert sources
    assert [source for source in sources if not SOURCE.match(source)] == []


@pytest.mark.parametrize("info", [info for info in INFOS if info.fix], ids=lambda info: info.code)
def test_fix_removes_the_finding_and_adds_none(info: RuleInfo) -> None:
    """A page with a fix shows its exact text, in which no other rule of the catalogue finds anything new."""
    shown = [example for example in examples_of(read_page(info)) if example.fixed is not None]
    assert shown
    for example in shown:
        before, after = found_in(example.text, example), found_in(example.fixed or "", example)
        assert after[info.name] < before[info.name]
        assert after <= before


def found_in(text: str, example: Example) -> Counter[str]:
    """How often each rule of the catalogue reports something in a file."""
    selectors = Selectors()
    settings = SettingsResolver(selectors, Overrides(select=("ALL",))).for_file("example.py", Config(""))
    result = check_file(Job(example.name, text.encode(), settings, neighbours=example.neighbours), selectors)
    assert result.errors == ()
    return Counter(finding.name for finding in result.findings)


def test_table_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    """The committed table is what ``python -m dnnlint.engine.make_table`` writes."""
    assert main(["--check"]) == 0, capsys.readouterr().out


def test_table_describes_the_rules_that_it_loads() -> None:
    """The metadata that settings are checked against is that of the rules themselves."""
    index = rule_index()
    for _, rule in load_rules(rule_modules(rules_folder())):
        info = index[rule.code]
        assert (info.name, info.severity, info.clause, info.family) == (
            rule.name,
            rule.severity.value,
            rule.clause,
            rule.family,
        )
        assert info.fix == (rule.fix.value if rule.fix else None)


PAGE = """\
# bad-call (DNN901)

## What it does

Reports calls
of `bad`.

More.

## Example

```python
torch = bad()  # error: [bad-call]
```

```python fixed
torch = good()
```

```toml
[tool.dnnlint.rules.bad-call]
names = ["worse"]
```

```python
torch = bad()
worse(
    1
)  # error: [bad-call]
```

````text
```
# not a heading
````
"""


@pytest.fixture
def page() -> Page:
    return parse_page(PAGE)


@pytest.fixture
def bad_call(fake_rules: object) -> RuleInfo:
    return rule_index()["DNN901"]


def test_page_is_split_into_sections_and_blocks(page: Page) -> None:
    """The summary is the first paragraph on one line; a fence may hold a shorter fence."""
    assert page.summary == "Reports calls of `bad`."
    assert [block.info for block in page.blocks] == ["python", "python fixed", "toml", "python", "text"]
    assert page.blocks[-1].text == "```\n# not a heading\n"
    assert page.blocks[0].line == 12


def test_examples_take_options_and_fixes_from_their_neighbours(page: Page, bad_call: RuleInfo) -> None:
    """A toml block holds for what follows it, a fixed block for what precedes it."""
    first, second = examples_of(page)
    assert (first.fixed, first.options) == ("torch = good()\n", "")
    assert second.expected == ((4, "bad-call"),)
    assert [differences(example, bad_call) for example in (first, second)] == [[], []]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        pytest.param("# error: [bad-call]\n```\n\n```python f", "\n```\n\n```python f", "is reported", id="unmarked"),
        pytest.param("torch = bad()\nworse", "torch = 1  # error: [bad-call]\nworse", "not reported", id="marked"),
        pytest.param("torch = good()", "torch = better()", "the fixes give", id="fix"),
        pytest.param("torch = bad()\nworse", "torch = boom()  # error: [boom-call]\nworse", "crashed", id="crash"),
    ],
)
def test_untrue_page_is_found(old: str, new: str, problem: str, bad_call: RuleInfo) -> None:
    """The runner reports an example that does not hold."""
    assert old in PAGE
    problems = [
        text for example in examples_of(parse_page(PAGE.replace(old, new))) for text in differences(example, bad_call)
    ]
    assert any(problem in text for text in problems)


def test_page_that_does_not_exist_is_empty() -> None:
    """A rule without a page does not stop a report."""
    assert read_page(RuleInfo("DNN999", "no-such-rule", "error", "", "nowhere")) == Page("", {}, ())
