"""What the tool believes of the program that a file belongs to: the first thing to read when a finding surprises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from dnnlint.facts import Call, qualified_names
from dnnlint.program.evaluations import Evaluation, evaluations
from dnnlint.program.explain_loops import explain_loop, header_of
from dnnlint.program.explain_places import Describer, distinct
from dnnlint.program.explain_records import (
    Action,
    EvaluationRecord,
    Explanation,
    FrameworkRecord,
    LoaderRecord,
    Quantity,
    Spot,
    StorageRecord,
    UnfollowedRecord,
)
from dnnlint.program.grad_mode import GradMode
from dnnlint.program.loaders import LOADERS, choices
from dnnlint.program.saving import saved_by
from dnnlint.program.training import TrainingLoop
from dnnlint.program.tree import Activation, Event, Kind, Node, ancestors

if TYPE_CHECKING:
    from dnnlint.program import Program

_FRAMEWORKS = (
    "torch lightning pytorch_lightning lightning_fabric transformers trl accelerate deepspeed ignite composer fastai "
    "apex opacus torch_geometric torchtune torchtitan keras tensorflow jax"
).split()
_OBJECTS = frozenset(
    "Trainer Seq2SeqTrainer SFTTrainer DPOTrainer TrainingArguments Seq2SeqTrainingArguments Accelerator Fabric "
    "initialize PrivacyEngine Learner Engine fully_shard FullyShardedDataParallel DistributedDataParallel".split()
)
_LOADER_DEFAULTS: dict[str, int | bool] = {
    "num_workers": 0,
    "batch_size": 1,
    "shuffle": False,
    "pin_memory": False,
    "persistent_workers": False,
}
"""What a DataLoader does where an argument is left out: https://pytorch.org/docs/stable/data.html"""
_RECEIVED = ("optimizer", "scaler", "model")


def related_files(program: Program, path: str) -> tuple[str, ...]:
    """The files of a program that a file imports, directly or not, and those that import it; itself included."""
    members = tuple(unit.path for unit in program.linker.units)
    tree = program.linker.tree
    if tree is None or len(members) < 2:
        return (path,)
    imported = {file: tuple(target for target in tree.edges(file) if target in members) for file in members}
    importing = {file: tuple(other for other in members if file in imported[other]) for file in members}
    kept = _closure(path, imported) | _closure(path, importing)
    return tuple(file for file in members if file in kept)


def _closure(start: str, edges: dict[str, tuple[str, ...]]) -> set[str]:
    found = {start}
    pending = [start]
    while pending:
        new = [target for target in edges[pending.pop()] if target not in found]
        found.update(new)
        pending += new
    return found


class _Explainer:
    """Explains the parts of a program that belong to some of its files."""

    def __init__(self, program: Program, files: tuple[str, ...], name_of: Callable[[str], str]) -> None:
        self.program = program
        self.files = frozenset(files)
        self.describer = Describer(program, name_of)
        self._owners = {
            id(root): unit.path for root, unit in zip(program.roots, program.linker.units, strict=False)
        }  # the first roots are the modules, in the order of the files

    def starts_here(self, node: Node) -> bool:
        """Whether the code that leads to a node starts in one of the files."""
        root = node
        for outer in ancestors(node):
            root = outer
        if isinstance(root, Activation):
            return self.program.path_of(root.function.place) in self.files
        return self._owners.get(id(root), "") in self.files

    def events(self, kind: str) -> list[Event]:
        """The events of a kind, each call once."""
        return distinct(event for event in self.program.events(kind) if self.starts_here(event))

    def loops(self) -> list[TrainingLoop]:
        """The training loops; one that several callers run in the same way is named once."""
        found: dict[tuple[int, ...], TrainingLoop] = {}
        for loop in self.program.training_loops:
            if self.starts_here(loop.body):
                calls = (*loop.backwards, *loop.steps)
                found.setdefault(tuple(id(event.call.node) for event in calls), loop)
        return list(found.values())

    def frameworks(self) -> tuple[FrameworkRecord, ...]:
        """The frameworks that the program imports, and their telling objects."""
        found = []
        calls = [call for call in self.program.facts.calls if self.program.path_of(call.block) in self.files]
        for name in _FRAMEWORKS:
            if self.program.imports(name):
                made = [call for call in calls if _is_object(call, name)]
                found.append(FrameworkRecord(name, tuple(self._called(call) for call in made)))
        return tuple(found)

    def _called(self, call: Call) -> Action:
        return Action(self.describer.spot(call.node, call.block), self.describer.code(call.node))

    def evaluations(self) -> tuple[EvaluationRecord, ...]:
        """The evaluations, by the loop or function around their forward passes."""
        groups: dict[Spot, list[Evaluation]] = {}
        for found in evaluations(self.program):
            if self.starts_here(found.forward):
                groups.setdefault(header_of(self.describer, found.region)[0], []).append(found)
        return tuple(self._evaluation(spot, group) for spot, group in groups.items())

    def _evaluation(self, spot: Spot, group: list[Evaluation]) -> EvaluationRecord:
        d = self.describer
        switched = next((found.switched for found in group if found.switched is not None), None)
        mode = GradMode(self.program)
        return EvaluationRecord(
            spot,
            header_of(d, group[0].region)[2],
            tuple(d.action(event) for event in distinct(found.forward for found in group)),
            d.spot(switched.call.node, switched.place.block) if switched is not None else None,
            any(mode.records(found.forward) for found in group),
        )

    def loaders(self) -> tuple[LoaderRecord, ...]:
        """The data loaders."""
        calls = [call for call in self.program.calls_to(*LOADERS) if self.program.path_of(call.block) in self.files]
        return tuple(self._loader(call) for call in calls)

    def _loader(self, call: Call) -> LoaderRecord:
        arguments = {name: self._argument(call, name) for name in _LOADER_DEFAULTS}
        role = self.program.loader_uses.role(call)
        return LoaderRecord(self.describer.spot(call.node, call.block), role, **arguments)

    def _argument(self, call: Call, name: str) -> Quantity:
        default = _LOADER_DEFAULTS[name]
        absent = Quantity("", f"{default!r} (default of `DataLoader`)", (default,))
        refs, is_known = choices(self.program, call, name)
        if not is_known:
            return Quantity("", "", ())
        found = [absent if ref is None else self.describer.quantity(name, ref) for ref in refs]
        if len(found) == 1:
            return found[0]
        texts = "" if not all(q.text for q in found) else " or ".join(dict.fromkeys(q.text for q in found))
        values = tuple(dict.fromkeys(value for q in found for value in q.values))
        return Quantity(" or ".join(dict.fromkeys(q.expression for q in found if q.expression)), texts, values)

    def storage(self, kind: str) -> tuple[StorageRecord, ...]:
        """The saves or the loads."""
        found = []
        for event in self.events(kind):
            names = tuple(sorted(saved_by(self.program, event).names - {""})) if kind == Kind.SAVE else ()
            action = self.describer.action(event)
            found.append(StorageRecord(action.at, action.code, names))
        return tuple(found)

    def unfollowed(self) -> tuple[UnfollowedRecord, ...]:
        """The calls that are not followed although they receive what training depends on."""
        found = []
        for event in self.events(Kind.OPAQUE):
            roles = self.program.roles
            received = tuple(role for role in _RECEIVED if roles.any_of(event.targets, role)) or ("object",)
            action = self.describer.action(event)
            found.append(UnfollowedRecord(action.at, action.code, received))
        return tuple(found)


def _is_object(call: Call, framework: str) -> bool:
    if call.attribute not in _OBJECTS:
        return False
    return any(name.partition(".")[0] == framework for name in qualified_names(call))


def _is_there(program: Program, path: str) -> bool:
    """Whether a file that was looked for exists."""
    tree = program.linker.tree
    return tree is not None and tree.data(path) is not None


def explain(program: Program, path: str, files: tuple[str, ...], name_of: Callable[[str], str]) -> Explanation:
    """What the tool believes of a program, restricted to what starts in ``files``; ``name_of`` names paths."""
    explainer = _Explainer(program, files, name_of)
    loops = tuple(explain_loop(explainer.describer, loop) for loop in explainer.loops())
    frameworks, found = explainer.frameworks(), explainer.evaluations()
    loaders, saves, loads = explainer.loaders(), explainer.storage(Kind.SAVE), explainer.storage(Kind.LOAD)
    unfollowed = explainer.unfollowed()
    members = {unit.path for unit in program.linker.units}
    return Explanation(
        name_of(path),
        tuple(name_of(file) for file in files),
        tuple(name_of(file) for file in program.linker.read if file not in members and _is_there(program, file)),
        frameworks,
        loops,
        found,
        loaders,
        saves,
        loads,
        unfollowed,
        tuple(explainer.describer.unknown.values()),
    )


def joined(parts: list[Explanation]) -> Explanation:
    """The explanation of a file that belongs to the programs of several scripts; what they share is named once."""
    names = [field.name for field in fields(Explanation) if field.name != "file"]
    lists = (dict.fromkeys(record for part in parts for record in getattr(part, name)) for name in names)
    found = Explanation(parts[0].file, *map(tuple, lists))
    objects: dict[str, dict[Action, None]] = {}
    for framework in found.frameworks:
        objects.setdefault(framework.name, {}).update(dict.fromkeys(framework.objects))
    return replace(found, frameworks=tuple(FrameworkRecord(name, tuple(made)) for name, made in objects.items()))
