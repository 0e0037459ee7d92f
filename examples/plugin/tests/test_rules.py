"""The pages of the rules are true, and what a page does not show is tested beside it."""

from __future__ import annotations

import pytest

from dnnlint.testing import Case, findings, pages
from dnnlint_house import RULES
from dnnlint_house.stray_checkpoint import RULE


@pytest.mark.parametrize("case", pages(RULES))
def test_page(case: Case) -> None:
    assert case.problems() == []


def test_absolute_path_is_reported_without_a_fix() -> None:
    (finding,) = findings(RULE, 'import torch\ntorch.save({}, "/tmp/model.pt")\n')
    assert (finding.line, finding.fix) == (2, None)


def test_folder_is_an_option() -> None:
    source = 'import torch\ntorch.save({}, "runs/model.pt")\n'
    assert findings(RULE, source, {"folder": "runs"}) == ()
