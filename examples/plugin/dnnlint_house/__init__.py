"""House rules for dnnlint."""

from dnnlint_house.stray_checkpoint import RULE

DNNLINT_API = 1
"""The version of the interface that these rules are written for."""

RULES = [RULE]
