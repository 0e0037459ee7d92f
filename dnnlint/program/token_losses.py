"""Losses that are means over the tokens of a padded batch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import dotted
from dnnlint.program.calling import argument
from dnnlint.program.ingredients import ingredients
from dnnlint.program.values import Const, Ref, Result

if TYPE_CHECKING:
    from dnnlint.program import Program

_FUNCTIONS = ("torch.nn.functional.cross_entropy", "torch.nn.functional.nll_loss")
_CLASSES = ("torch.nn.CrossEntropyLoss", "torch.nn.NLLLoss")
_TOKEN_MODELS = re.compile(
    r"^transformers\..*(CausalLM|LMHeadModel|Seq2SeqLM|MaskedLM|ForConditionalGeneration|ForTokenClassification)\b"
)
_PADDERS = ("pad_sequence", "DataCollatorForSeq2Seq", "DataCollatorForTokenClassification", "DataCollatorWithPadding")
_PADDING = ("longest", "max_length", True)


def pads_sequences(program: Program) -> bool:
    """Whether the file brings sequences of different lengths to one length."""
    if any(program.resolver.sites_named(name) for name in _PADDERS):
        return True
    for call in program.facts.calls:
        given = [a.value for a in call.node.args if a.keyword is not None and a.keyword.value == "padding"]
        values = program.resolve(given[0], call) if given else ()
        # A convolution has a padding too: it is a number or "same".
        if any(isinstance(v, Const) and (v.value is True or v.value in _PADDING[:2]) for v in values):
            return True
    return False


def token_means(program: Program, loss: Ref, *, padded: bool) -> Iterator[cst.BaseExpression]:
    """The expressions behind a loss that average over tokens of which padding is left out.

    ``padded``: the file pads sequences, so that a loss which ignores some label ignores padding.
    """
    for part in ingredients(program, loss):
        node = part.node
        is_call = isinstance(node, cst.Call)
        if _ignores_padding(program, part, padded) if is_call else padded and _is_model_loss(program, part):
            yield node


def _ignores_padding(program: Program, part: Ref, padded: bool) -> bool:
    """A cross entropy with the mean over what ``ignore_index`` leaves."""
    for value in program.resolver.resolve(part):
        if not isinstance(value, Result):
            continue
        made = value if value.qualified in _FUNCTIONS else value.callee
        if not isinstance(made, Result) or made.qualified not in (*_FUNCTIONS, *_CLASSES):
            continue
        if not _is_mean(program, made):
            continue
        ignored = argument(program.resolver, made.node, made.place, "ignore_index")
        if ignored is not None and (padded or _is_named_padding(program, ignored)):
            return True
    return False


def _is_mean(program: Program, made: Result) -> bool:
    given = argument(program.resolver, made.node, made.place, "reduction")
    return given is None or program.resolver.resolve(given) == (Const("mean"),)


def _is_named_padding(program: Program, ref: Ref) -> bool:
    """``tokenizer.pad_token_id``, ``PAD``, ``args.pad_index``."""
    names = (dotted(part.node).rsplit(".", 1)[-1].lower() for part in ingredients(program, ref))
    return any(re.match(r"(.*_)?pad(ding)?(_|$)", name) for name in names)


def _is_model_loss(program: Program, part: Ref) -> bool:
    """``model(**batch).loss`` of a language model of transformers."""
    if not isinstance(part.node, cst.Attribute) or part.node.attr.value != "loss":
        return False
    for value in program.resolver.resolve(Ref(part.node.value, part.place)):
        model = value.callee if isinstance(value, Result) else None
        given = [a.keyword.value for a in value.node.args if a.keyword] if isinstance(value, Result) else []
        if isinstance(model, Result) and _TOKEN_MODELS.match(model.qualified) and "num_items_in_batch" not in given:
            return True
    return False
