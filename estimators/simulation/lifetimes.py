"""Records when storages on the simulated device are born and die."""

from __future__ import annotations

import contextlib
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import torch

from dnnlint.estimators.allocator import Category, Mark, Note, NoteKind, Phase, Trace

HOST = -1
"""Number of every storage that lies on the host: it is known, but leaves no event."""


class _StorageRef(weakref.ref["torch.UntypedStorage"]):
    """A weak reference that remembers which storage it watched."""

    __slots__ = ("key", "number")
    key: int
    number: int


class Recorder:
    """Gives every device storage a number and notes its birth, death and place in the program."""

    def __init__(self) -> None:
        """Start with nothing alive, before the first step."""
        self.events: list[int] = []
        self.sizes: list[int] = []
        self.operators: list[str] = []
        self.modules: list[str] = []
        self.operator_count = 0
        self.convolution_bytes = 0
        self.marks: list[Mark] = [Mark(0, -1, Phase.BUILD)]
        self.module_of_birth: Callable[[bool], str] = lambda backward: ""
        self.in_backward = False
        self._categories: dict[int, Category] = {}
        self._recomputed: set[int] = set()
        self._transient: set[int] = set()
        self._numbers: dict[int, int] = {}
        self._references: dict[int, _StorageRef] = {}
        self._notes: Counter[tuple[NoteKind, str]] = Counter()

    def track(self, tensor: torch.Tensor, operator: str, on_host: bool = False) -> None:
        """Give the storage of a new tensor a number, unless it has one."""
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key in self._numbers:
            return
        reference = _StorageRef(storage, self._died)
        reference.key = key
        reference.number = HOST if on_host else self._born(storage.nbytes(), operator)
        self._numbers[key] = reference.number
        self._references[key] = reference

    def is_host(self, tensor: torch.Tensor) -> bool:
        """Say whether a meta tensor stands for one on the host; unknown storages count as device memory."""
        return self._numbers.get(tensor.untyped_storage()._cdata) == HOST

    def origin(self, tensor: torch.Tensor) -> str:
        """Return the operator that made the storage of a tensor."""
        number = self._numbers.get(tensor.untyped_storage()._cdata, HOST)
        return "" if number == HOST else self.operators[number]

    def resized(self, storage: torch.UntypedStorage) -> None:
        """Follow ``storage.resize_``, which frees the old memory and takes new."""
        key = storage._cdata
        reference = self._references.get(key)
        if reference is None or reference.number == HOST or self.sizes[reference.number] == storage.nbytes():
            return
        old = reference.number
        self.events.append(-old - 1)
        reference.number = self._numbers[key] = self._born(storage.nbytes(), "resize_")
        if old in self._categories:
            self._categories[reference.number] = self._categories[old]

    def take(self, size: int, operator: str) -> int:
        """Record memory that a kernel takes while it runs; returns the number of the block."""
        number = self._born(size, operator)
        self._transient.add(number)
        return number

    def release(self, number: int) -> None:
        """Record that a kernel gives back what it took."""
        self.events.append(-number - 1)

    def workspace(self, size: int, operator: str) -> None:
        """Record memory that a library keeps until the process ends."""
        number = self._born(size, operator)
        self._categories[number] = Category.WORKSPACES
        # All modules share it, not only the one that multiplied first.
        self.modules[number] = ""

    def tag(self, tensors: Iterable[torch.Tensor], category: Category) -> None:
        """Say what the storages of ``tensors`` hold."""
        for tensor in tensors:
            number = self._numbers.get(tensor.untyped_storage()._cdata, HOST)
            if number != HOST:
                self._categories[number] = category

    @contextlib.contextmanager
    def silent(self) -> Iterator[None]:
        """Forget what happens in the body, and whatever is still alive after it."""
        yield
        del self.events[:], self.sizes[:], self.operators[:], self.modules[:], self.marks[1:]
        self.operator_count = 0
        self.convolution_bytes = 0
        self._numbers.clear()
        self._references.clear()
        self._recomputed.clear()
        self._transient.clear()

    def name(self, tensor: torch.Tensor, module: str) -> None:
        """Say which module owns the storage of a tensor."""
        number = self._numbers.get(tensor.untyped_storage()._cdata, HOST)
        if number != HOST:
            self.modules[number] = module

    def module_of(self, tensor: torch.Tensor) -> str:
        """Return the module that owns the storage of a tensor."""
        number = self._numbers.get(tensor.untyped_storage()._cdata, HOST)
        return "" if number == HOST else self.modules[number]

    def mark(self, step: int, phase: Phase) -> None:
        """Enter a phase of a step."""
        last = self.marks[-1]
        if (last.step, last.phase) == (step, phase):
            return
        if last.event == len(self.events) and last.phase in (Phase.FORWARD, Phase.BUILD):
            self.marks.pop()
        self.marks.append(Mark(len(self.events), step, phase))

    def note(self, kind: NoteKind, text: str) -> None:
        """Count something the reader of the estimate has to know."""
        self._notes[kind, text] += 1

    def trace(self, parameter_count: int, trainable_count: int) -> Trace:
        """Return what was recorded so far."""
        return Trace(
            tuple(self.events),
            tuple(self.sizes),
            tuple(self._classified()),
            tuple(self.operators),
            tuple(self.modules),
            tuple(self.marks),
            tuple(number in self._transient for number in range(len(self.sizes))),
            tuple(Note(kind, text, count) for (kind, text), count in self._notes.items()),
            self.operator_count,
            parameter_count,
            trainable_count,
            self.convolution_bytes,
        )

    def _born(self, size: int, operator: str) -> int:
        number = len(self.sizes)
        self.sizes.append(size)
        self.operators.append(operator)
        self.modules.append(self.module_of_birth(self.in_backward))
        self.events.append(number + 1)
        if self.in_backward and torch.is_grad_enabled():
            self._recomputed.add(number)
        return number

    def _died(self, reference: weakref.ref[torch.UntypedStorage]) -> None:
        assert isinstance(reference, _StorageRef)
        if self._numbers.get(reference.key) == reference.number:
            del self._numbers[reference.key]
            del self._references[reference.key]
        if reference.number != HOST:
            self.events.append(-reference.number - 1)

    def _classified(self) -> list[Category]:
        """Tell activations from temporaries: the former outlive their forward pass, or are recomputed."""
        activations = set(self._recomputed)
        alive: set[int] = set()
        for mark, end in zip(self.marks, [mark.event for mark in self.marks[1:]] + [len(self.events)], strict=True):
            if mark.phase is Phase.BACKWARD:
                activations |= alive
            alive = set()
            if mark.phase is Phase.FORWARD:
                for event in self.events[mark.event : end]:
                    if event > 0:
                        alive.add(event - 1)
                    else:
                        alive.discard(-event - 1)
        return [
            self._categories.get(number, Category.ACTIVATIONS if number in activations else Category.TEMPORARIES)
            for number in range(len(self.sizes))
        ]
