"""DNN407: a tf.data pipeline that feeds training one element at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.program.calling import argument
from dnnlint.program.tensorflow_training import chain_of, training_pipelines
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.values import Result

# Methods that leave the speed of a pipeline to code which the chain does not show.
_UNKNOWN = frozenset({"apply", "with_options", "interleave", "from_generator"})


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report serial maps, then pipelines that do not prefetch."""
    if not program.imports("tensorflow"):
        return
    distributed = bool(program.resolver.sites_named("experimental_distribute_dataset"))
    for _, data in training_pipelines(program):
        links = chain_of(program, data)
        if links is None or any(link.method in _UNKNOWN for link in links):
            continue
        yield from (_serial(program, link) for link in _serial_maps(program, links))
        if not distributed and not any(link.method in ("prefetch", "prefetch_to_device") for link in links):
            yield Report(
                links[-1].node,
                f"{quoted(program, links[-1].node)} feeds training without `prefetch`: each step waits for its batch.",
                "End the pipeline with `.prefetch(tf.data.AUTOTUNE)`.",
            )


def _serial_maps(program: Program, links: list[Result]) -> Iterator[Result]:
    """The maps that run one call at a time and on every epoch: nothing behind them caches what they made."""
    for index, link in enumerate(links):
        if link.method != "map" or any(later.method in ("cache", "snapshot", "save") for later in links[index:]):
            continue
        given = argument(program.resolver, link.node, link.place, "num_parallel_calls", 1)
        if given is None and not any(entry.star for entry in link.node.args):
            yield link


def _serial(program: Program, link: Result) -> Report:
    first = quoted(program, link.node.args[0].value, 40) if link.node.args else "`map`"
    return Report(
        link.node,
        f"The `map` of this pipeline calls {first} for one element at a time.",
        "Pass `num_parallel_calls=tf.data.AUTOTUNE` to `map`.",
    )


RULE = Rule("DNN407", "keras-input-pipeline", Severity.ADVICE, "S3.1.1a", check)
