"""One simulated run: installs modes, overrides and patches, and hands out the trace."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator

import torch
from torch import nn
from torch.library import Library
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

from dnnlint.estimators.allocator import Category, NoteKind, Phase, Trace
from dnnlint.estimators.simulation import attention as attention_kernels
from dnnlint.estimators.simulation import autocast, overrides
from dnnlint.estimators.simulation.cuda_patches import Patches, patched
from dnnlint.estimators.simulation.device import Attention, SimulatedDevice
from dnnlint.estimators.simulation.dispatch import CudaDispatchMode
from dnnlint.estimators.simulation.function_mode import CudaFunctionMode
from dnnlint.estimators.simulation.lifetimes import Recorder
from dnnlint.estimators.simulation.light_imports import without_compiler
from dnnlint.estimators.simulation.modules import ModuleTracker

aten = torch.ops.aten


class Simulation:
    """What a program running on the simulated device can tell and ask."""

    def __init__(self, device: SimulatedDevice) -> None:
        """Record a run on ``device``."""
        self.device = device
        self.recorder = Recorder()
        self._modules = ModuleTracker()
        self._models: list[nn.Module] = []
        self._step = -1
        self._phase = Phase.BUILD

    @property
    def trace(self) -> Trace:
        """What was recorded so far."""
        parameters = {id(p): p for model in self._models for p in model.parameters()}.values()
        total = sum(p.numel() for p in parameters)
        trainable = sum(p.numel() for p in parameters if p.requires_grad)
        return self.recorder.trace(total, trainable)

    def watch(self, model: nn.Module, attribute: bool = True) -> None:
        """Tag parameters and buffers of ``model``, and attribute storages to its modules."""
        self._models.append(model)
        self.tag(model.parameters(), Category.PARAMETERS)
        self.tag(model.buffers(), Category.BUFFERS)
        if attribute:
            self.recorder.module_of_birth = self._modules.current
            self._modules.watch(model)
            self._name_parameters(model)

    def tag(self, value: object, category: Category) -> None:
        """Say what the tensors in ``value`` (a tensor, or any nesting of lists and dictionaries) hold."""
        with torch._C.DisableTorchFunction():
            self.recorder.tag([t for t in _tensors(value) if t.is_meta], category)

    def note(self, kind: NoteKind, text: str) -> None:
        """Add a note for the reader of the estimate."""
        self.recorder.note(kind, text)

    @contextlib.contextmanager
    def step(self, number: int) -> Iterator[None]:
        """Run step ``number``, from 0."""
        self._step = number
        self._enter(Phase.FORWARD)
        yield

    @contextlib.contextmanager
    def phase(self, phase: Phase) -> Iterator[None]:
        """Run a phase of the current step."""
        outer = self._phase
        self._enter(phase)
        try:
            yield
        finally:
            self._enter(outer)

    def _enter(self, phase: Phase) -> None:
        self._phase = phase
        self.recorder.mark(self._step, phase)

    def _name_parameters(self, model: nn.Module) -> None:
        for name, tensor in (*model.named_parameters(), *model.named_buffers()):
            self.recorder.name(tensor, name.rpartition(".")[0] or type(model).__name__)

    def _name_like(self, parameter: object, values: Iterable[object]) -> None:
        """Give what an optimizer keeps for a parameter to the parameter's module."""
        if isinstance(parameter, torch.Tensor):
            with torch._C.DisableTorchFunction():
                module = self.recorder.module_of(parameter)
                for tensor in _tensors(list(values)):
                    self.recorder.name(tensor, module)

    def close(self) -> None:
        """Stop following modules."""
        self._modules.close()

    def run_backward(self, engine: Callable[..., object], mode: CudaFunctionMode) -> Callable[..., object]:
        """Wrap the autograd engine: it runs in a thread of its own on CUDA, and below the function mode."""

        def run(*args: object, **kwargs: object) -> object:
            outer = self.recorder.in_backward
            with self.phase(Phase.BACKWARD), mode:
                self.recorder.in_backward = True
                try:
                    return engine(*args, **kwargs)
                finally:
                    self.recorder.in_backward = outer

        return run

    @contextlib.contextmanager
    def watch_optimizers(self) -> Iterator[None]:
        """Enter the optimizer phase in every ``Optimizer.step`` and tag gradients and states."""
        outer: list[Phase] = []

        def before(optimizer: torch.optim.Optimizer, args: object, kwargs: object) -> None:
            outer.append(self._phase)
            self.tag([p.grad for p in _parameters(optimizer)], Category.GRADIENTS)
            self._enter(Phase.OPTIMIZER)

        def after(optimizer: torch.optim.Optimizer, args: object, kwargs: object) -> None:
            for parameter, state in optimizer.state.items():
                self.tag(_values(state), Category.OPTIMIZER_STATE)
                self._name_like(parameter, _values(state))
            self._enter(outer.pop() if outer else self._phase)

        handles = [register_optimizer_step_pre_hook(before), register_optimizer_step_post_hook(after)]
        try:
            yield
        finally:
            for handle in handles:
                handle.remove()


def _parameters(optimizer: torch.optim.Optimizer) -> Iterator[torch.Tensor]:
    for group in optimizer.param_groups:
        yield from group["params"]


def _values(state: object) -> Iterable[object]:
    return state.values() if isinstance(state, dict) else ()


def _tensors(value: object) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _tensors(item)
    elif isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        for item in value:
            yield from _tensors(item)


@contextlib.contextmanager
def simulate(device: SimulatedDevice | None = None, attention: Attention = Attention.AUTO) -> Iterator[Simulation]:
    """Run the body as if on ``device``: tensors on ``cuda`` have shapes and lifetimes, and no content."""
    simulation = Simulation(device or SimulatedDevice())
    recorder = simulation.recorder
    dispatch, functions = CudaDispatchMode(recorder, simulation.device), CudaFunctionMode(recorder)
    library, every_namespace = Library("aten", "IMPL"), Library("_", "IMPL")
    patches = Patches()
    try:
        overrides.install(library)
        library.impl(
            "scaled_dot_product_attention", attention_kernels.override(simulation.device, attention), overrides.KEY
        )
        cache = autocast.install(library, every_namespace)
        for module in (torch.autograd, torch.autograd.graph):
            engine = module._engine_run_backward
            patches.set(module, "_engine_run_backward", simulation.run_backward(engine, functions))
        with (
            without_compiler(),
            patched(simulation.device, recorder, cache),
            simulation.watch_optimizers(),
            torch._C._IncludeDispatchKeyGuard(autocast.KEY),
            torch._C._ExcludeDispatchKeyGuard(autocast.KEY_SET),
            dispatch,
            functions,
        ):
            with recorder.silent():
                dispatch.sums.calibrate()
            yield simulation
    finally:
        patches.undo()
        simulation.close()
        library._destroy()
        every_namespace._destroy()
