"""The form of messages: what a finding says and what it asks for read the same in every rule."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from dnnlint.finding import Finding
from dnnlint.rule_docs import read_page
from dnnlint.rules import RuleInfo, rule_index
from dnnlint.testing import examples_of, findings_of

MESSAGE_LIMIT, HELP_LIMIT = 200, 160
SHORT_CODE = 40
"""The limit of a message holds where no piece of code in it is longer than this."""

CODE = re.compile(r"`[^`\n]+`")
LOOKS_LIKE_CODE = re.compile(r"\w\(|\w_\w|[A-Za-z_]\.\w|\w=\w|[A-Z][a-z]+[A-Z]")
"""A call, a name with an underscore, a dotted name, a keyword argument or a class in camel case."""

GUESSES = re.compile(r"\b(should|probably|might|seems?|maybe|please|consider)\b", re.IGNORECASE)


def findings_of_page(info: RuleInfo) -> Iterator[Finding]:
    """What the rule itself reports in the examples of its page."""
    for example in examples_of(read_page(info)):
        yield from (finding for finding in findings_of(example, info) if finding.code == info.code)


PAGES = {info: {(f.message, f.help): f for f in findings_of_page(info)} for info in rule_index().values()}
FINDINGS = [
    pytest.param(finding, id=f"{info.code}-{number}")
    for info, findings in PAGES.items()
    for number, finding in enumerate(findings.values(), 1)
]


def faults_of_sentence(text: str) -> list[str]:
    """What keeps a text from being one sentence in house style; code counts as a word."""
    words = CODE.sub("X", text)
    checks = {
        "no capital letter or code at the start": re.match(r"[A-Z]", words) is None,
        "no full stop": not words.endswith("."),
        "several sentences": re.search(r"[.!?]\s", words) is not None,
        "not on one line": "\n" in text,
        "a backtick too many": "`" in words,
        "code without backticks": LOOKS_LIKE_CODE.search(words) is not None,
        "a guess": GUESSES.search(words) is not None,
        "a gap": "  " in words or " ." in words or " ," in words,
    }
    return [fault for fault, found in checks.items() if found]


@pytest.mark.parametrize("finding", FINDINGS)
def test_message_is_one_sentence_about_the_code(finding: Finding) -> None:
    """A message names what is in the user's code, short enough for one line of a log."""
    assert faults_of_sentence(finding.message) == []
    pieces = CODE.findall(finding.message)
    assert pieces or finding.code.startswith("DNN0") or finding.code == "DNN702", "names nothing of the code"
    if all(len(piece) <= SHORT_CODE for piece in pieces):
        assert len(finding.message) <= MESSAGE_LIMIT


@pytest.mark.parametrize("finding", FINDINGS)
def test_help_is_one_line_that_says_what_to_do(finding: Finding) -> None:
    """Help and the description of a fix start with a verb in the imperative."""
    for text in [finding.help, *([finding.fix.description] if finding.fix else [])]:
        assert faults_of_sentence(text) == []
        assert len(text) <= HELP_LIMIT
        assert re.match(r"[A-Z][a-z]+ ", text), "starts with no verb"


@pytest.mark.parametrize("info", [info for info in PAGES if info.code != "DNN003"], ids=lambda info: info.code)
def test_page_shows_a_message(info: RuleInfo) -> None:
    """Every rule has an example here, so that its words are looked at; DNN003 needs input too long for a page."""
    assert PAGES[info]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        pytest.param("the loss is kept.", "no capital letter or code at the start", id="lower-case"),
        pytest.param("The loss is kept", "no full stop", id="full-stop"),
        pytest.param("The loss is kept. The graph too.", "several sentences", id="two-sentences"),
        pytest.param("The loss of model(x) is kept.", "code without backticks", id="call"),
        pytest.param("The loss should be detached.", "a guess", id="should"),
        pytest.param("`loss is kept.", "a backtick too many", id="backtick"),
    ],
)
def test_form_is_checked(text: str, fault: str) -> None:
    """The checks above find what they look for."""
    assert fault in faults_of_sentence(text)
