"""Values that are made of themselves end in an answer, not in a recursion."""

from __future__ import annotations

import libcst as cst
import pytest

from dnnlint.config.model import RuleSettings
from dnnlint.engine.crashes import options_of
from dnnlint.program import build_program
from dnnlint.rules import all_rules

PROGRAMS = {
    "option from itself": """
import argparse
import torch

def config():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default=0, type=int)
    args = parser.parse_args()
    args.device = torch.device(args.device) if args.device >= 0 else torch.device("cpu")
    return args

args = config()
model = torch.nn.Linear(2, 2).to(args.device)
""",
    "key from the table": """
import torch

names = {}
for index in range(3):
    names[names[index]] = names
    names.update(names)
loader = torch.utils.data.DataLoader(range(8), **names)
""",
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_every_rule_ends(source: str) -> None:
    """Each rule gives an answer."""
    program = build_program(cst.parse_module(source))
    settings = RuleSettings({}, {}, "")
    for rule in all_rules():
        if rule.check is not None:
            list(rule.check(program, options_of(rule, settings)))
