"""The dispatch mode: every operator on the simulated device passes here and only its shapes are computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch
from torch._ops import OpOverload
from torch.utils._python_dispatch import TorchDispatchMode

from dnnlint.estimators.allocator import NoteKind
from dnnlint.estimators.simulation import data_dependent, values
from dnnlint.estimators.simulation.accumulation import FILLING_OPERATORS, GradientSums
from dnnlint.estimators.simulation.device import SimulatedDevice
from dnnlint.estimators.simulation.errors import UnsupportedOperatorError
from dnnlint.estimators.simulation.kernels.scratch import Scratch
from dnnlint.estimators.simulation.kernels.table import RESULT_ORDER, KernelRules
from dnnlint.estimators.simulation.lifetimes import Recorder
from dnnlint.estimators.simulation.operators import Operator, OperatorKind
from dnnlint.estimators.simulation.shapes import META, key_of, recipe_of, shares_storage

SMALL_HOST_TENSOR_ELEMENTS = 1 << 13
"""Host tensors up to this size are really made, so that schedules such as ``linspace().tolist()`` have values."""

_RULE_ERRORS = (NotImplementedError, RuntimeError)


class CudaDispatchMode(TorchDispatchMode):
    """Answers operators with tensors that have shapes and lifetimes but no content."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Keep PyTorch from wrapping the handler, which would import all of torch._dynamo."""
        return False

    def __init__(self, recorder: Recorder, device: SimulatedDevice) -> None:
        """Report storages to ``recorder``; ``device`` decides about workspaces."""
        super().__init__()  # type: ignore[no-untyped-call]
        self.recorder = recorder
        self.kernels = KernelRules(recorder, device)
        self.sums = GradientSums()
        self._operators: dict[OpOverload, Operator] = {}
        self._handlers: dict[OperatorKind, Callable[[Operator, tuple[object, ...], dict[str, object]], object]] = {
            OperatorKind.PLAIN: self._plain,
            OperatorKind.VIEW: self._view,
            OperatorKind.IN_PLACE: self._in_place,
            OperatorKind.COMPUTE: self._compute,
            OperatorKind.FACTORY: self._factory,
            OperatorKind.RUN: self._run,
            OperatorKind.VALUE: self._value,
        }

    def __torch_dispatch__(
        self,
        func: OpOverload,
        types: Sequence[type],
        args: tuple[object, ...] = (),
        kwargs: Mapping[str, object] | None = None,
    ) -> object:
        """Handle one operator."""
        with torch._C.DisableTorchFunction():
            operator = self._operators.get(func)
            if operator is None:
                operator = self._operators[func] = Operator(func)
            self.recorder.operator_count += 1
            return self._handlers[operator.kind](operator, args, dict(kwargs) if kwargs else {})

    # Each handler gets the operator, its arguments and its options, and returns the result.

    def _plain(self, operator: Operator, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
        return operator.function(*args, **kwargs)

    def _view(self, operator: Operator, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
        result = operator.function(*args, **kwargs)
        if isinstance(result, torch.Tensor):
            values.follow(operator.function, args, kwargs, result)
        elif isinstance(result, (list, tuple)):
            _follow_parts(operator.function, args, kwargs, result)
        return result

    def _in_place(self, operator: Operator, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
        target = args[0]
        if isinstance(target, torch.Tensor):
            if not target.is_meta:
                if not any(isinstance(a, torch.Tensor) and a.is_meta for a in args):
                    return operator.function(*args, **kwargs)
                known = values.compute(operator.function, args, kwargs)
                return target if known is None else known
            values.follow_in_place(operator.function, args, kwargs)
            if self.recorder.is_host(target):
                return target
        elif not _any_meta(args):
            return operator.function(*args, **kwargs)
        self._take_scratch(operator.name, args, kwargs)
        return None if operator.returns_nothing else target

    def _factory(self, operator: Operator, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
        device = kwargs.get("device")
        on_host = device is None or (isinstance(device, torch.device) and device.type == "cpu")
        if on_host and _elements(args, kwargs) <= SMALL_HOST_TENSOR_ELEMENTS:
            return operator.function(*args, **kwargs)
        kwargs["device"] = META
        _without_generator(kwargs)
        kwargs.pop("pin_memory", None)
        result, _ = self._make(operator, args, kwargs)
        self._track(result, operator.name, on_host)
        if isinstance(result, torch.Tensor) and values.keeps_values(result):
            values.remember(result, _host_result(operator, args, kwargs))
        return result

    def _compute(self, operator: Operator, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
        any_meta, any_device, any_real = self._places(args)
        device = kwargs.get("device")
        if isinstance(device, torch.device):
            any_device = device.type != "cpu"
            if any_device or any_meta:
                kwargs["device"] = META
        if not any_meta and not (isinstance(device, torch.device) and any_device):
            return operator.function(*args, **kwargs)
        if operator.name == "aten::add" and self.recorder.in_backward and self.sums.in_place(args, kwargs):
            return args[0]
        if operator.name in FILLING_OPERATORS and self.recorder.in_backward and self.sums.fills_in_place(args):
            self._take_scratch(operator.name, args, kwargs)
            return args[0]
        plain_args = _without_content(args) if any_real else args
        if operator.name == "aten::index":
            plain_args = data_dependent.index_arguments(self.recorder, plain_args)
        _without_generator(kwargs)
        result, scratch = self._make(operator, plain_args, kwargs)
        if any_device:
            blocks = self.kernels.open(scratch, operator.name)
            self._track(result, operator.name, False)
            self.kernels.close(scratch, blocks, operator.name)
        else:
            self._track(result, operator.name, True)
        values.follow(operator.function, args, kwargs, result)
        return result

    def _run(self, operator: Operator, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
        any_meta, any_device, _ = self._places((*args, *kwargs.values()))
        if not any_meta:
            return operator.function(*args, **kwargs)
        result = self._call(operator, args, kwargs)
        self._track(result, operator.name, not any_device)
        if any_device:
            self._take_scratch(operator.name, args, kwargs)
        return result

    def _value(self, operator: Operator, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
        known = values.compute(operator.function, args, kwargs)
        tensor = args[0]
        assert isinstance(tensor, torch.Tensor)
        if known is None:
            origin = self.recorder.origin(tensor)
            place = values.caller()
            if place is not None:
                self.recorder.note(NoteKind.PLACEHOLDER, f"{operator.name} at {place}: its value is unknown")
            if operator.name == "aten::_local_scalar_dense":
                return values.placeholder(tensor.dtype, origin)
            return self._tracked(data_dependent.result_of(operator.name, args, kwargs), operator.name, tensor)
        if not _any_meta(args):
            return known
        return self._tracked(data_dependent.without_content(known), operator.name, tensor)

    def _tracked(self, result: object, name: str, beside: torch.Tensor) -> object:
        self._track(result, name, beside.is_meta and self.recorder.is_host(beside))
        return result

    def _take_scratch(self, name: str, args: Sequence[object], kwargs: Mapping[str, object]) -> None:
        scratch = self.kernels.scratch(name, args, kwargs)
        self.kernels.close(scratch, self.kernels.open(scratch, name), name)

    def _make(self, operator: Operator, args: tuple[object, ...], kwargs: dict[str, object]) -> tuple[object, Scratch]:
        """Return new results and what the kernel takes beside them, from memory where the shapes were seen."""
        matter = operator.numbers_matter
        key: object = tuple([key_of(argument, matter) for argument in args])
        if operator.kind is OperatorKind.FACTORY:
            key = (key, torch.get_default_dtype())
        if kwargs:
            key = (key, tuple([(name, key_of(option, matter)) for name, option in kwargs.items()]))
        try:
            known = operator.memo.get(key)
        except TypeError:
            return self._call(operator, args, kwargs), self.kernels.scratch(operator.name, args, kwargs)
        if known is not None:
            return known[0](), known[1]
        result = self._call(operator, args, kwargs)
        result = self.kernels.corrected(operator.name, args, kwargs, result)
        scratch = self.kernels.scratch(operator.name, args, kwargs)
        recipe = recipe_of(result, args)
        if recipe is not None:
            operator.memo[key] = (recipe, scratch)
        elif shares_storage(result, args):
            operator.kind = OperatorKind.VIEW
        return result, scratch

    def _call(self, operator: Operator, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
        special = data_dependent.SHAPE_RULES.get(operator.name)
        if special is not None:
            return special(*args, **kwargs)
        try:
            return operator.function(*args, **kwargs)
        except _RULE_ERRORS as error:
            if _is_missing_rule(error):
                raise UnsupportedOperatorError(str(operator.function), str(error).split("\n")[0]) from error
            raise

    def _places(self, args: Sequence[object]) -> tuple[bool, bool, bool]:
        """Say whether any argument is on meta, on the device, and a real tensor with dimensions."""
        any_meta = any_device = any_real = False
        for argument in args:
            group = argument if isinstance(argument, (list, tuple)) else (argument,)
            for item in group:
                if not isinstance(item, torch.Tensor):
                    if item is not None and not isinstance(item, torch.Tensor):
                        break
                    continue
                if item.is_meta:
                    any_meta = True
                    any_device = any_device or not self.recorder.is_host(item)
                elif item.dim():
                    any_real = True
        return any_meta, any_device, any_real

    def _track(self, result: object, name: str, on_host: bool) -> None:
        if isinstance(result, torch.Tensor):
            if result.is_meta and result.layout is torch.strided:
                self.recorder.track(result, name, on_host)
        elif isinstance(result, (list, tuple)):
            order = RESULT_ORDER.get(name)
            for item in result if order is None else [result[i] for i in order]:
                self._track(item, name, on_host)


def _without_generator(kwargs: dict[str, object]) -> None:
    """Drop a generator: nothing is drawn. An overload may insist on the argument."""
    if "generator" in kwargs:
        kwargs["generator"] = None


def _any_meta(args: Sequence[object]) -> bool:
    for argument in args:
        if isinstance(argument, torch.Tensor):
            if argument.is_meta:
                return True
        elif isinstance(argument, (list, tuple)) and _any_meta(argument):
            return True
    return False


def _without_content(args: tuple[object, ...]) -> tuple[object, ...]:
    """Replace real tensors by meta ones of the same shape; numbers stay."""
    return tuple([data_dependent.without_content(a, keep_numbers=True) for a in args])


def _elements(args: tuple[object, ...], kwargs: Mapping[str, object]) -> int:
    """Return how many elements a factory makes; number arguments (``arange``) count as few."""
    size = args[0] if args else kwargs.get("size")
    if not isinstance(size, (list, tuple)):
        return int(max((a for a in args[:2] if isinstance(a, (int, float))), default=0))
    count = 1
    for length in size:
        count *= length
    return count


def _host_result(operator: Operator, args: tuple[object, ...], kwargs: Mapping[str, object]) -> torch.Tensor | None:
    if operator.name.startswith(("aten::empty", "aten::rand")):
        return None
    result = values.compute(operator.function, args, {**kwargs, "device": values.CPU})
    return result if isinstance(result, torch.Tensor) else None


def _follow_parts(
    function: OpOverload, args: tuple[object, ...], kwargs: Mapping[str, object], parts: Sequence[object]
) -> None:
    first = parts[0] if parts else None
    if isinstance(first, torch.Tensor) and first.is_meta and values.keeps_values(first):
        known = values.compute(function, args, kwargs)
        if isinstance(known, (list, tuple)):
            for part, value in zip(parts, known, strict=True):
                values.remember(part, value)  # type: ignore[arg-type]


def _is_missing_rule(error: Exception) -> bool:
    text = str(error)
    return isinstance(error, NotImplementedError) or "Meta" in text or "no fake impl" in text or "meta" in text
