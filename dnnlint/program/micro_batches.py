"""Gradient accumulation: which backward passes add up, and where the sum is scaled by their number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Assign
from dnnlint.program.calling import argument
from dnnlint.program.factors import Factor
from dnnlint.program.paths import Path, has
from dnnlint.program.powers import PLAIN, UNKNOWN, Powers
from dnnlint.program.roles import last_name
from dnnlint.program.scaling import Scaling
from dnnlint.program.training import Accumulation, TrainingLoop
from dnnlint.program.tree import Event, Kind, Repeat, ancestors, events, guards_around, inside
from dnnlint.program.values import Items, Object, Ref, Result, Table, Value

if TYPE_CHECKING:
    from dnnlint.program import Program

_GRADIENT_FUNCTIONS = {"_foreach_div_": -1, "_foreach_mul_": 1, "multiply_grads": 1, "scale_grads": 1}
_KEEPS_GRADIENTS = frozenset({"clamp_", "clip_", "nan_to_num_"})


@dataclass(frozen=True, slots=True)
class Scaled:
    """A place where something is scaled, with the powers of the number of micro-batches in it."""

    powers: Powers
    node: cst.CSTNode


class MicroBatches:
    """The accumulation of one training loop, with everything that may scale it."""

    def __init__(self, program: Program, loop: TrainingLoop, accumulation: Accumulation, strict: bool = False) -> None:
        assert accumulation.factor is not None
        self.program = program
        self.loop = loop
        self.accumulation = accumulation
        self.factor = Factor(program.conditions, accumulation.factor, strict)
        self.scaling = Scaling(program.resolver, self.factor)
        # Whatever rate comes in from outside, what counts is whether this file divides it.
        self.rate_scaling = Scaling(program.resolver, self.factor, unknown=0)

    @cached_property
    def backwards(self) -> list[Event]:
        """The backward passes of micro-batches: those that some iteration runs without a step behind them."""
        own = [event for event in self.loop.backwards if self._belongs(event)]
        if self.accumulation.kind == "nested":
            return [e for e in own if self.accumulation.repeat and inside(e, self.accumulation.repeat)]
        waiting = [event for path in self.waiting for event in path.events]
        return [event for event in own if event in waiting]

    def _belongs(self, backward: Event) -> bool:
        for node in ancestors(backward):
            if isinstance(node, Repeat) and events(node, Kind.STEP):
                return node is self.loop.window
        return self.loop.window is None

    @cached_property
    def waiting(self) -> list[Path]:
        """The iterations that make gradients and do not step."""
        return [p for p in self.loop.paths if has(p, Kind.BACKWARD) and not has(p, Kind.STEP)]

    def on_every_micro_batch(self, kind: str) -> list[Event]:
        """The events of a kind that every micro-batch runs, not only the one that ends the window."""
        inner = self.accumulation.repeat
        if self.accumulation.kind == "nested":
            found = events(inner.body, kind) if inner is not None else []
            return [event for event in found if not guards_around(event, inner)]
        common = [set(map(id, path.events)) for path in self.waiting]
        return [event for event in self.loop.of(kind) if common and all(id(event) in ids for ids in common)]

    @property
    def clears(self) -> list[Event]:
        """What clears the gradients on every micro-batch, so that nothing adds up."""
        return self.on_every_micro_batch(Kind.ZERO_GRAD)

    def loss(self, backward: Event) -> Powers:
        """The powers in the loss of a backward pass."""
        if backward.loss is None:
            return UNKNOWN
        if backward.how == "accelerator" and not self._hands_loss_through(backward):
            return UNKNOWN
        call = backward.call.node
        if backward.how in ("plain", "scaler", "apex") and isinstance(call, cst.Call):
            for entry in call.args:
                if entry.keyword is None or entry.keyword.value == "gradient":
                    return UNKNOWN
        return self.scaling.loss(backward.loss)

    @staticmethod
    def _hands_loss_through(backward: Event) -> bool:
        """Fabric and Lightning leave the loss as it is, accelerate too unless it was told the number."""
        if isinstance(backward.call, Assign) or backward.call.attribute == "manual_backward":
            return True
        for value in backward.targets:
            if not isinstance(value, Result) or last_name(value) not in ("Fabric", "Accelerator"):
                return False
            given = {entry.keyword.value for entry in value.node.args if entry.keyword is not None}
            stars = any(entry.star for entry in value.node.args)
            if last_name(value) == "Accelerator" and (stars or any("gradient_accumulation" in k for k in given)):
                return False
        return bool(backward.targets)

    @cached_property
    def gradients(self) -> list[Scaled]:
        """Where the gradients themselves are scaled: ``p.grad /= n``, ``torch._foreach_div_(grads, n)``."""
        found = [self._gradient(event) for event in self.loop.of(Kind.CLIP) if event.how == "manual"]
        for name, sign in _GRADIENT_FUNCTIONS.items():
            for call in self.program.resolver.sites_named(name):
                last = Ref(call.node.args[-1].value, self.program.place_of(call)) if call.node.args else None
                found.append(Scaled(_signed(self.scaling.number(last), sign) if last else UNKNOWN, call.node))
        opaque = [event for event in self.loop.of(Kind.OPAQUE) if self._may_scale(event)]
        return [*found, *(Scaled(UNKNOWN, event.call.node) for event in opaque)]

    def _gradient(self, event: Event) -> Scaled:
        call, place = event.call, event.place
        if isinstance(call, Assign):
            if call.operator in ("/=", "*="):
                sign = 1 if call.operator == "*=" else -1
                return Scaled(_signed(self.scaling.number(Ref(call.value, place)), sign), call.node)
            value = call.value
            if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, (cst.Divide, cst.Multiply)):
                sign = 1 if isinstance(value.operator, cst.Multiply) else -1
                return Scaled(_signed(self.scaling.number(Ref(value.right, place)), sign), call.node)
            return Scaled(UNKNOWN, call.node)
        operand = Ref(call.node.args[0].value, place) if call.node.args else None
        if call.attribute in _KEEPS_GRADIENTS:
            return Scaled(PLAIN, call.node)
        if operand is None or call.attribute not in ("div_", "mul_"):
            return Scaled(UNKNOWN, call.node)
        return Scaled(_signed(self.scaling.number(operand), 1 if call.attribute == "mul_" else -1), call.node)

    def _may_scale(self, event: Event) -> bool:
        """Whether a call whose insides are unknown may divide the gradients: it gets the number, or all of ``self``."""
        if isinstance(event.call, Assign):
            return False
        if any(isinstance(v, Object) and v.node is None for v in event.targets):
            return True
        callees = self.program.resolver.resolve(Ref(event.call.node.func, event.place))
        return any(self.factor.is_given_to(v, event.call.node, event.place) for v in callees)

    @cached_property
    def rates(self) -> list[Scaled]:
        """The learning rates of the optimizers that are stepped, where their creation is seen."""
        found: list[Scaled] = []
        for step in self.loop.steps:
            for value in step.targets:
                found.extend(self._rates_of(value))
        return list({id(scaled.node): scaled for scaled in found}.values())

    def _rates_of(self, optimizer: Value) -> Iterator[Scaled]:
        if not isinstance(optimizer, Result):
            return
        resolver = self.program.resolver
        refs = [argument(resolver, optimizer.node, optimizer.place, "lr", 1)]
        groups = argument(resolver, optimizer.node, optimizer.place, "params", 0)
        for value in resolver.resolve(groups) if groups is not None else ():
            for group in value.refs if isinstance(value, Items) else ():
                tables = [v for v in resolver.resolve(group) if isinstance(v, Table)]
                refs.extend(table.get("lr") for table in tables)
        yield from (Scaled(self.rate_scaling.loss(ref), optimizer.node) for ref in refs if ref is not None)

    @cached_property
    def rates_set_later(self) -> bool:
        """Whether the file writes ``group["lr"]`` from an expression with the number in it."""
        for assign in self.program.facts.assigns:
            target = assign.target
            if isinstance(target, cst.Subscript) and isinstance(target.slice[0].slice, cst.Index):
                key = target.slice[0].slice.value
                if isinstance(key, cst.SimpleString) and key.evaluated_value == "lr":
                    powers = self.rate_scaling.loss(Ref(assign.value, self.program.place_of(assign)))
                    if powers - PLAIN - UNKNOWN:
                        return True
        return False


def _signed(powers: Powers, sign: int) -> Powers:
    return frozenset(None if p is None else sign * p for p in powers)


def accumulations(program: Program, strict: bool = False) -> Iterator[MicroBatches]:
    """The accumulating loops whose number of micro-batches is an expression of the file."""
    for loop in program.training_loops:
        found = loop.accumulation
        if found is None or found.kind == "framework" or found.factor is None:
            continue
        micro = MicroBatches(program, loop, found, strict)
        if not micro.factor.is_one:
            yield micro
