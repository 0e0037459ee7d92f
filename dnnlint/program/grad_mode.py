"""Whether autograd records at a place: no_grad in all its forms, and where a file uses gradients on purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Assign, Block, Call, Class, Function, dotted, qualified_names
from dnnlint.program.tree import Activation, Kind, Repeat, Scoped, ancestors, events
from dnnlint.program.unknown_calls import is_library
from dnnlint.program.values import (
    ClassValue,
    Const,
    Element,
    External,
    FunctionValue,
    Member,
    Object,
    Place,
    Ref,
    Result,
    Value,
)

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.tree import Node

SWITCHES_OFF = frozenset(
    {
        "torch.no_grad",
        "torch.inference_mode",
        "torch.autograd.no_grad",
        "torch.autograd.inference_mode",
        "torch.autograd.grad_mode.no_grad",
        "torch.autograd.grad_mode.inference_mode",
    }
)
_SETTERS = frozenset(
    {
        "torch.set_grad_enabled",
        "torch.autograd.set_grad_enabled",
        "torch.autograd.grad_mode.set_grad_enabled",
        "torch._C._set_grad_enabled",
    }
)
# Contexts of training: methods of models, accelerators and engines that leave autograd on.
_RECORDING_METHODS = frozenset("no_sync accumulate autocast join summon_full_params no_backward_sync record".split())
_GRADIENT_READERS = ("torch.autograd.", "torch.func.", "functorch.", "torch.enable_grad", "captum.")
_NO_GRADIENTS_TAKEN = frozenset(
    "no_grad inference_mode set_grad_enabled backward set_detect_anomaly detect_anomaly profile record_function "
    "Variable Function emit_nvtx".split()
)
_GENERAL_NAMES = frozenset({"__init__", "__call__", "main", "forward"})
_GRADIENT_METHODS = frozenset("retain_grad register_hook register_full_backward_hook requires_grad_".split())


class GradMode:
    """Answers for one program; what switches autograd off inside a project function is worked out once."""

    def __init__(self, program: Program) -> None:
        """Take the program that the questions are about."""
        self._program = program
        self._resolver = program.resolver
        self._off: set[int] = set()
        self._naming: dict[int, bool] = {}
        for call in program.calls_to(*SWITCHES_OFF, *_SETTERS):
            self._note(call.block.function)
        for function in program.facts.functions:
            if any(_decorator_name(d) in ("no_grad", "inference_mode") for d in function.decorators):
                self._note(function)
        self._users, self._user_blocks = _gradient_users(program)

    def _note(self, function: Function | None) -> None:
        while function is not None:
            self._off.add(id(function))
            if function.owner is not None:
                self._off.add(id(function.owner))
            function = function.parent

    def switched_by_call(self) -> bool:
        """Whether a plain call such as ``set_grad_enabled(False)`` switches autograd for what runs after it."""
        program = self._program
        placed = {id(node) for block in program.facts.withs for node in block.contexts}
        placed |= {id(d) for function in program.facts.functions for d in function.decorators}
        for call in program.calls_to(*_SETTERS):
            given = program.argument(call, "mode", 0)
            if id(call.node) not in placed and (given is None or self._resolver.resolve(given) != (Const(True),)):
                return True
        entered = [*self._resolver.sites_named("enter_context"), *self._resolver.sites_named("__enter__")]
        return bool(entered) and bool(self._off or program.calls_to(*SWITCHES_OFF))

    def records(self, node: Node) -> bool:
        """Whether autograd is on at a node, as far as the file shows; an unknown context may switch it off."""
        for outer in ancestors(node):
            if isinstance(outer, Scoped) and not all(self.leaves_on(ref) for ref in outer.contexts):
                return False
            if isinstance(outer, Activation) and not self._function_records(outer):
                return False
        return True

    def _function_records(self, outer: Activation) -> bool:
        function = outer.function
        trains = bool(events(outer, Kind.BACKWARD))
        place = Place(
            outer.frame.closure or self._resolver.module_frame(function.scope), function.place, function.order
        )
        for decorator in function.decorators:
            ref = Ref(decorator, place)
            if not self.leaves_on(ref) and not (trains and not self.switches_off(ref)):
                return False
        return True

    def leaves_on_in(self, block: Block) -> bool:
        """Whether the ``with`` statements and decorators around a block leave autograd on, without its callers."""
        for function in _enclosing(block.function):
            place = Place(self._resolver.module_frame(function.scope), function.place, function.order)
            if any(self.switches_off(Ref(decorator, place)) for decorator in function.decorators):
                return False
        for statement in self._program.facts.withs:
            if block.within(statement.body):
                frame = self._resolver.frame_of(block.function, block.scope)
                place = Place(frame, statement.block, statement.order)
                if not all(self.leaves_on(Ref(node, place)) for node in statement.contexts):
                    return False
        return True

    def leaves_on(self, ref: Ref) -> bool:
        """Whether a context or decorator certainly leaves autograd on."""
        return all(self._leaves_on(value) for value in self._resolver.resolve(ref))

    def switches_off(self, ref: Ref) -> bool:
        """Whether a context or decorator is one that may switch autograd off, in PyTorch or in this file."""
        return any(self._is_switch(value) for value in self._resolver.resolve(ref))

    def _is_switch(self, value: Value) -> bool:
        if isinstance(value, External):
            return value.qualified in SWITCHES_OFF or value.qualified in _SETTERS
        if isinstance(value, Result):
            if value.qualified in SWITCHES_OFF or value.qualified in _SETTERS:
                return self._arguments_switch(value)
            return self._is_switch(value.callee)
        if isinstance(value, FunctionValue):
            return id(value.function) in self._off or self._names_switch(value.function)
        return isinstance(value, (Object, ClassValue)) and self._class_switches(value.cls)

    def _names_switch(self, function: Function) -> bool:
        """Whether a function names a switch, as ``(torch.inference_mode if new else torch.no_grad)()`` does."""
        if id(function) not in self._naming:
            self._naming[id(function)] = _names_switch(function.node)
        return self._naming[id(function)]

    def _class_switches(self, cls: Class) -> bool:
        return any(id(c) in self._off for c in self._resolver.lineage(cls)[0])

    def _arguments_switch(self, made: Result) -> bool:
        """``inference_mode(False)`` and ``set_grad_enabled(True)`` leave autograd on."""
        if not made.node.args:
            return True
        given = self._resolver.resolve(Ref(made.node.args[0].value, made.place))
        return given != (Const(made.qualified in _SETTERS),)

    def _leaves_on(self, value: Value) -> bool:
        if self._is_switch(value):
            return False
        if isinstance(value, (FunctionValue, Const)):
            return True
        if isinstance(value, (Object, ClassValue)):
            return not self._resolver.lineage(value.cls)[1]
        if isinstance(value, Result) and isinstance(value.callee, FunctionValue):
            return True
        if isinstance(value, Result) and isinstance(value.callee, Member) and value.method in _RECORDING_METHODS:
            return True
        return is_library(value)

    def may_switch(self, function: Function) -> bool:
        """Whether a project function switches autograd off somewhere in its body or by a decorator."""
        return id(function) in self._off

    def uses_gradients(self, node: Node) -> bool:
        """Whether the code around a node takes gradients apart from backward().

        That is the innermost function, everything between the node and its innermost loop, and at the level of the
        module that loop.
        """
        looped = False
        for outer in ancestors(node):
            if isinstance(outer, Repeat):
                looped = True
                if any(block.within(outer.loop.body) for block in self._user_blocks):
                    return True
            elif isinstance(outer, Activation):
                if id(outer.function) in self._users:
                    return True
                if looped:
                    return False
        return False

    def in_hook_of_framework(self, node: Node) -> bool:
        """Whether a method around a node belongs to a class with bases that run it in a context of their own."""
        for outer in ancestors(node):
            if isinstance(outer, Activation) and outer.function.owner is not None:
                _, outside = self._resolver.lineage(outer.function.owner)
                if any(not _is_plain_base(base) for base in outside):
                    return True
        return False


def _names_switch(node: cst.CSTNode) -> bool:
    if isinstance(node, cst.Name):
        return node.value in ("no_grad", "inference_mode", "set_grad_enabled")
    return any(_names_switch(child) for child in node.children)


def _decorator_name(node: cst.BaseExpression) -> str:
    return dotted(node.func if isinstance(node, cst.Call) else node).rsplit(".", 1)[-1]


def _is_plain_base(value: Value) -> bool:
    return isinstance(value, External) and value.qualified.startswith(("torch.nn.", "builtins.", "abc.", "typing."))


def _gradient_users(program: Program) -> tuple[set[int], list[Block]]:
    """The functions and blocks that take gradients themselves, or call such a function by its name."""
    blocks = [call.block for call in program.facts.calls if _takes_gradients(program, call)]
    blocks += [assign.block for assign in program.facts.assigns if _asks_for_gradients(program, assign)]
    users = {id(function) for block in blocks for function in _enclosing(block.function)}
    names = {f.name for f in program.facts.functions if id(f) in users} - _GENERAL_NAMES
    calling = [call.block for name in names for call in program.resolver.sites_named(name)]
    users |= {id(block.function) for block in calling if block.function is not None}
    return users, [*blocks, *calling]


def _enclosing(function: Function | None) -> list[Function]:
    found = []
    while function is not None:
        found.append(function)
        function = function.parent
    return found


def _takes_gradients(program: Program, call: Call) -> bool:
    func = call.node.func
    if call.attribute in _GRADIENT_METHODS and isinstance(func, cst.Attribute):
        if call.attribute != "requires_grad_":
            return True
        first = call.node.args[0].value if call.node.args else None
        return dotted(first) != "False" and not _belongs_to_model(program, Ref(func.value, program.place_of(call)))
    names = qualified_names(call)
    if any(name.startswith(_GRADIENT_READERS) for name in names):
        return call.attribute not in _NO_GRADIENTS_TAKEN
    return call.attribute != "Parameter" and any(
        a.keyword is not None and a.keyword.value == "requires_grad" and dotted(a.value) == "True"
        for a in call.node.args
    )


def _asks_for_gradients(program: Program, assign: Assign) -> bool:
    target = assign.target
    if not (isinstance(target, cst.Attribute) and target.attr.value == "requires_grad"):
        return False
    place = program.place_of(assign)
    return dotted(assign.value) == "True" and not _belongs_to_model(program, Ref(target.value, place))


def _belongs_to_model(program: Program, ref: Ref) -> bool:
    """Whether an expression is a model or one of its parameters, which are unfrozen rather than looked at."""
    for value in program.resolver.resolve(ref):
        if program.roles.is_model(value):
            return True
        base = value.base if isinstance(value, Element) else value
        if isinstance(base, Result) and "parameters" in base.method:
            return True
    return False
