"""DNN209: means over the tokens of each micro-batch are averaged, so that tokens of short micro-batches weigh more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.program.micro_batches import accumulations
from dnnlint.program.powers import PLAIN
from dnnlint.program.token_losses import pads_sequences, token_means
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_HELP = "Sum the losses of the tokens and divide by the number of tokens of the whole window."
_DIVIDED = frozenset({-1})


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report backward passes of accumulation windows whose loss is a mean over unpadded tokens."""
    for micro in accumulations(program):
        padded = pads_sequences(program)
        for backward in micro.backwards:
            # A loss weighed by something else, such as its share of the tokens, is none of our business.
            if backward.loss is None or micro.loss(backward) not in (PLAIN, _DIVIDED):
                continue
            mean = next(token_means(program, backward.loss, padded=padded), None)
            if mean is not None:
                call, number = quoted(program, backward.call.node, 40), quoted(program, micro.factor.ref.node)
                tokens = f"{quoted(program, mean)} is a mean of tokens"
                message = f"{call} gives {number} micro-batches equal weight, and {tokens}."
                yield Report(backward.call.node, message, _HELP)


RULE = Rule("DNN209", "token-mean-per-micro-batch", Severity.ADVICE, "S3.2.1a", check)
