"""Run-time options: argparse, click and typer, dataclass-like records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Assign, Call, Class, Function, dotted
from dnnlint.program.calling import argument
from dnnlint.program.values import Const, Element, External, Operation, Place, Ref, Result, Setting, Value

if TYPE_CHECKING:
    from dnnlint.program.resolve import Resolver
    from dnnlint.program.units import Linker, Unit

NAMESPACE_TYPES = frozenset({"SimpleNamespace", "Namespace", "EasyDict", "edict", "create", "Munch", "ConfigDict"})
_PARSE = frozenset({"parse_args", "parse_known_args", "parse_intermixed_args"})
_RECORD_BASES = frozenset({"BaseModel", "BaseSettings", "NamedTuple", "TypedDict", "TrainingArguments", "Struct"})
_FLAGS = {"store_true": False, "store_false": True}


class Options:
    """The options a program declares; looked up by destination name."""

    def __init__(self, linker: Linker) -> None:
        self._linker = linker
        self._by_unit: dict[int, dict[str, list[Call]]] = {}
        self._declared: dict[str, list[Call]] | None = None
        self._written: dict[str, list[Assign]] | None = None
        self._defaults: dict[str, list[tuple[Call, cst.BaseExpression]]] = {}

    def declared(self) -> dict[str, list[Call]]:
        """All ``add_argument`` calls by destination."""
        if self._declared is None:
            self._declared = {}
            for unit in self._linker.units:
                for name, calls in self._declared_in(unit).items():
                    self._declared.setdefault(name, []).extend(calls)
        return self._declared

    def _declared_in(self, unit: Unit) -> dict[str, list[Call]]:
        if id(unit) not in self._by_unit:
            found = self._by_unit[id(unit)] = {}
            for call in unit.sites.get("add_argument", ()):
                name = _destination(call.node)
                if name:
                    found.setdefault(name, []).append(call)
            for call in unit.sites.get("set_defaults", ()):
                for entry in call.node.args:
                    if entry.keyword is not None:
                        self._defaults.setdefault(entry.keyword.value, []).append((call, entry.value))
        return self._by_unit[id(unit)]

    def _declarations(self, base: Value, name: str) -> list[Call]:
        """Those in the file that parses, where it has them; else those of the whole program."""
        made = base.base if isinstance(base, Element) else base
        if isinstance(made, Result):
            calls = self._declared_in(self._linker.unit_of(made.place.block.scope)).get(name)
            if calls:
                return calls
        return self.declared().get(name, [])

    def is_namespace(self, value: Value) -> bool:
        """Whether a value is what ``parse_args()`` returned (or the first of ``parse_known_args()``)."""
        if isinstance(value, Element) and value.index == "0":
            value = value.base
        return isinstance(value, Result) and value.method in _PARSE

    def lookup(self, resolver: Resolver, base: Value, name: str) -> Setting | None:
        """The option of a name in a namespace, with the union of the defaults of all its declarations."""
        calls = self._declarations(base, name)
        if not calls:
            return None
        defaults: list[Value] = []
        choices: list[Value] = []
        for call in calls:
            place = resolver.place_of(call)
            defaults.extend(_default(resolver, call, place))
            given = argument(resolver, call.node, place, "choices")
            for value in resolver.resolve(given) if given is not None else ():
                choices.extend(resolver.resolve_all(getattr(value, "refs", ())) if hasattr(value, "refs") else ())
        for call, node in self._defaults.get(name, ()):
            place = resolver.place_of(call)
            defaults = list(resolver.resolve(Ref(node, place)))
        return Setting(name, "argparse", 0, tuple(defaults), calls[0].node, tuple(choices))

    def overwritten(self, resolver: Resolver, name: str) -> list[Value]:
        """What the file assigns to an option after parsing: ``args.workers = max(8, args.workers)``."""
        if self._written is None:
            self._written = {}
            for assign in (assign for unit in self._linker.units for assign in unit.facts.assigns):
                if isinstance(assign.target, cst.Attribute) and isinstance(assign.target.value, cst.Name):
                    self._written.setdefault(assign.target.attr.value, []).append(assign)
        found: list[Value] = []
        for assign in self._written.get(name, ()):
            place = resolver.place_of(assign)
            target = cst.ensure_type(assign.target, cst.Attribute)
            if any(self.is_namespace(value) for value in resolver.resolve(Ref(target.value, place))):
                ref = Ref(assign.value, place)
                found.extend([Operation(ref)] if assign.operator else resolver.resolve(ref))
        return found

    def of_parameter(self, resolver: Resolver, function: Function, name: str) -> Setting | None:
        """The click option behind a parameter, or the ``typer.Option``/``typer.Argument`` in its default."""
        place = Place(resolver.frame_of(function.place.function, function.scope), function.place, function.order)
        for decorator in function.decorators:
            is_option = isinstance(decorator, cst.Call) and dotted(decorator.func).endswith(("option", "argument"))
            if isinstance(decorator, cst.Call) and is_option and _destination(decorator) == name:
                return _click_setting(resolver, decorator, place, name)
        parameter = next((p for p in function.parameters if p.name == name), None)
        default = parameter.default if parameter is not None else None
        if isinstance(default, cst.Call) and dotted(default.func).rsplit(".", 1)[-1] in ("Option", "Argument"):
            given = argument(resolver, default, place, "default", 0)
            defaults = resolver.resolve(given) if given is not None else ()
            return Setting(name, "typer", id(function), tuple(defaults), default)
        return None


def _click_setting(resolver: Resolver, decorator: cst.Call, place: Place, name: str) -> Setting:
    given = argument(resolver, decorator, place, "default")
    if given is not None:
        defaults = tuple(resolver.resolve(given))
    else:
        flag = argument(resolver, decorator, place, "is_flag")
        defaults = (Const(False if flag is not None else None),)
    return Setting(name, "click", id(decorator), defaults, decorator)


def _destination(call: cst.Call) -> str:
    """The attribute name that argparse or click derives from the option strings."""
    texts = []
    for entry in call.args:
        if entry.keyword is not None and entry.keyword.value == "dest" and isinstance(entry.value, cst.SimpleString):
            return str(entry.value.evaluated_value)
        if entry.keyword is None and entry.star == "" and isinstance(entry.value, cst.SimpleString):
            texts.append(str(entry.value.evaluated_value))
    plain = [t for t in texts if t.isidentifier()]
    long = [t for t in texts if t.startswith("--")]
    chosen = (plain or long or texts or [""])[0]
    return chosen.split("/")[0].lstrip("-").replace("-", "_")


def _default(resolver: Resolver, call: Call, place: Place) -> list[Value]:
    given = argument(resolver, call.node, place, "default")
    if given is not None:
        return list(resolver.resolve(given))
    action = argument(resolver, call.node, place, "action")
    for value in resolver.resolve(action) if action is not None else ():
        if isinstance(value, Const) and value.value in _FLAGS:
            return [Const(_FLAGS[str(value.value)])]
    required = argument(resolver, call.node, place, "required")
    return [] if required is not None else [Const(None)]


def is_record_class(resolver: Resolver, cls: Class) -> bool:
    """Whether a class is a dataclass, a pydantic model or another record of typed fields."""
    names = [dotted(d.func if isinstance(d, cst.Call) else d) for d in cls.decorators]
    if any(name.rsplit(".", 1)[-1] in ("dataclass", "define", "frozen", "s") for name in names):
        return True
    inside, outside = resolver.lineage(cls)
    if any(isinstance(b, External) and b.qualified.rsplit(".", 1)[-1] in _RECORD_BASES for b in outside):
        return True
    return any(is_record_class(resolver, base) for base in inside[1:])
