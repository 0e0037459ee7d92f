"""Data loaders: where they are made, with which arguments, and which loops take batches from them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call, Function
from dnnlint.program.calling import argument
from dnnlint.program.loader_roles import EVALUATION, TRAINING, UNSEEN, role_in
from dnnlint.program.roles import last_name
from dnnlint.program.tree import Activation, Repeat, walk
from dnnlint.program.values import (
    Element,
    FunctionValue,
    Items,
    Member,
    Object,
    Ref,
    Result,
    Table,
    Value,
)

if TYPE_CHECKING:
    from dnnlint.program import Program

LOADERS = ("torch.utils.data.DataLoader", "torch.utils.data.dataloader.DataLoader")
POSITIONS = {
    name: index
    for index, name in enumerate(
        "dataset batch_size shuffle sampler batch_sampler num_workers collate_fn pin_memory drop_last".split()
    )
}
"""The positions of the parameters of ``DataLoader`` that may be given without their names."""

# Hooks and arguments by which frameworks are handed loaders.
_HOOKS = {
    "train_dataloader": TRAINING,
    "get_train_dataloader": TRAINING,
    "val_dataloader": EVALUATION,
    "test_dataloader": EVALUATION,
    "predict_dataloader": EVALUATION,
    "get_eval_dataloader": EVALUATION,
    "get_test_dataloader": EVALUATION,
}
_FITTERS = {
    "fit": (("train_dataloaders", 1, TRAINING), ("val_dataloaders", 2, EVALUATION)),
    "validate": (("dataloaders", 1, EVALUATION),),
    "test": (("dataloaders", 1, EVALUATION),),
    "predict": (("dataloaders", 1, EVALUATION),),
}
_MAX_DEPTH = 12


def choices(program: Program, call: Call, name: str) -> tuple[list[Ref | None], bool]:
    """What a loader may be given for a parameter, None where it is left out; False where more is possible."""
    place = program.place_of(call)
    position = POSITIONS.get(name, -1)
    index = 0
    found: list[Ref | None] = []
    known = True
    for entry in call.node.args:
        if entry.star == "**":
            for value in program.resolver.resolve(Ref(entry.value, place)):
                given = value.get(name) if isinstance(value, Table) else None
                found.append(given)
                known = known and (given is not None or (isinstance(value, Table) and value.complete))
        elif entry.star == "*":
            known = False
        elif (entry.keyword is not None and entry.keyword.value == name) or (
            entry.keyword is None and index == position
        ):
            return [Ref(entry.value, place)], True
        index += entry.keyword is None
    return found or [None], known


class LoaderUses:
    """The loops that iterate over each loader, through ``enumerate``, ``tqdm``, ``zip``, ``iter`` and helpers."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._repeats: dict[int, list[Repeat]] = {}
        self._roles: dict[int, set[str]] = {}
        for root in program.roots:
            for node in walk(root):
                if isinstance(node, Repeat) and node.loop.iterable is not None:
                    self._note_repeat(node, Ref(node.loop.iterable, node.place))
        self._note_next()
        self._note_fitters()

    def repeats(self, call: Call) -> list[Repeat]:
        """The loops over the loader made by a call."""
        return self._repeats.get(id(call.node), [])

    def role(self, call: Call) -> str:
        """``training`` where any loop over the loader trains, ``evaluation`` where all of them only run the model."""
        roles = set(self._roles.get(id(call.node), ()))
        function = call.block.function
        if function is not None and function.owner is not None and function.owner.bases:
            roles |= {_HOOKS[function.name]} if function.name in _HOOKS else set()
        return TRAINING if TRAINING in roles else EVALUATION if EVALUATION in roles else UNSEEN

    def _note_repeat(self, node: Repeat, iterable: Ref) -> None:
        loaders = self.sources(iterable)
        for loader in loaders:
            self._repeats.setdefault(id(loader.node), []).append(node)
            role = role_in(self._program, node, loader, loaders)
            if role:
                self._roles.setdefault(id(loader.node), set()).add(role)

    def _note_next(self) -> None:
        """``next(stream)`` inside a training loop, or in a function that such a loop calls."""
        calls = [call for call in self._program.resolver.sites_named("next") if not call.chain and call.node.args]
        if not calls:
            return
        repeats, functions = self._training_places()
        for call in calls:
            inside = any(call.block.within(repeat.loop.body) for repeat in repeats)
            if inside or (call.block.function is not None and id(call.block.function) in functions):
                for loader in self.sources(Ref(call.node.args[0].value, self._program.place_of(call))):
                    self._roles.setdefault(id(loader.node), set()).add(TRAINING)

    def _training_places(self) -> tuple[list[Repeat], set[int]]:
        repeats: list[Repeat] = []
        functions: dict[int, Function] = {}
        for loop in self._program.training_loops:
            repeats.extend(repeat for repeat in (loop.window, loop.micro) if repeat is not None)
            for node in walk(loop.body):
                if isinstance(node, Activation):
                    functions[id(node.function)] = node.function
        for call in self._program.facts.calls:
            in_repeat = any(call.block.within(repeat.loop.body) for repeat in repeats)
            if in_repeat or id(call.block.function) in functions:
                for value in self._program.resolver.resolve(Ref(call.node.func, self._program.place_of(call))):
                    if isinstance(value, FunctionValue):
                        functions.setdefault(id(value.function), value.function)
        return repeats, set(functions)

    def _note_fitters(self) -> None:
        resolver = self._program.resolver
        for name, parameters in _FITTERS.items():
            for call in resolver.sites_named(name):
                if not isinstance(call.node.func, cst.Attribute):
                    continue
                place = self._program.place_of(call)
                receivers = resolver.resolve(Ref(call.node.func.value, place))
                if not any(last_name(v) == "Trainer" for v in receivers):
                    continue
                for parameter, position, role in parameters:
                    given = argument(resolver, call.node, place, parameter, position)
                    for loader in self.sources(given) if given is not None else ():
                        self._roles.setdefault(id(loader.node), set()).add(role)

    def sources(self, ref: Ref) -> list[Result]:
        """The loaders behind an iterable."""
        found: dict[int, Result] = {}
        seen: set[Hashable] = set()
        for value in self._program.resolver.resolve(ref):
            self._collect(value, found, seen, 0)
        return list(found.values())

    def _collect(self, value: Value, found: dict[int, Result], seen: set[Hashable], depth: int) -> None:
        if depth > _MAX_DEPTH or value.key in seen:
            return
        seen.add(value.key)
        if isinstance(value, Result):
            if value.qualified in LOADERS:
                found[id(value.node)] = value
                return
            self._collect_all((Ref(a.value, value.place) for a in value.node.args), found, seen, depth)
            if isinstance(value.callee, Member):
                self._collect(value.callee.base, found, seen, depth + 1)
        elif isinstance(value, Element):
            self._collect_element(value, found, seen, depth)
        elif isinstance(value, Items):
            self._collect_all(value.refs, found, seen, depth)
        elif isinstance(value, Table):
            self._collect_all((ref for _, ref in value.refs), found, seen, depth)
        elif isinstance(value, Object) and value.node is not None:
            self._collect_all((Ref(a.value, value.place) for a in value.node.args), found, seen, depth)

    def _collect_element(self, value: Element, found: dict[int, Result], seen: set[Hashable], depth: int) -> None:
        """One entry of a collection of loaders; a batch out of a loader is no loader."""
        inner: dict[int, Result] = {}
        self._collect(value.base, inner, seen, depth + 1)
        base = value.base
        made = isinstance(base, Result) and base.qualified in LOADERS
        if not made:
            found.update(inner)

    def _collect_all(self, refs: Iterable[Ref], found: dict[int, Result], seen: set[Hashable], depth: int) -> None:
        for ref in refs:
            for value in self._program.resolver.resolve(ref):
                self._collect(value, found, seen, depth + 1)
