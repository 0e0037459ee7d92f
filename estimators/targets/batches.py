"""One batch: what the loader of a training loop gives, and how a model and a loss take it apart."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import torch
from torch import nn

from dnnlint.estimators.targets.inputs import LABELS, Candidate


class Batch(NamedTuple):
    """Inputs of the model, and the target of the loss where there is one."""

    inputs: Any
    target: torch.Tensor | None


def call_model(model: nn.Module, batch: Any) -> Any:
    """Call a model with a dictionary as keywords, a tuple as positions, anything else as its one argument."""
    positions, keywords = _arguments(batch)
    return model(*positions, **keywords)


def _arguments(batch: Any) -> tuple[tuple[Any, ...], Mapping[str, Any]]:
    inputs = batch.inputs if isinstance(batch, Batch) else batch
    if isinstance(inputs, Mapping):
        return (), inputs
    return (tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)), {}


def on_device(value: Any) -> Any:
    """Copy the tensors of a batch to the device and keep its structure."""
    if isinstance(value, torch.Tensor):
        return value.to("cuda")
    if isinstance(value, Mapping):
        return {name: on_device(item) for name, item in value.items()}
    if isinstance(value, (tuple, list)):
        items = [on_device(item) for item in value]
        make: Callable[..., Any] = type(value)
        return make(*items) if hasattr(value, "_fields") else make(items)
    return value


def readings(candidate: Candidate, model: nn.Module, batch: int) -> list[Candidate]:
    """Return the ways to read a batch that suit the signature of the model, or the batch itself when none does.

    A loader gives inputs and targets together; what the model has no parameter for is the target of the loss.
    """
    suiting = [way for way in _readings(candidate, model, batch) if _suits(model, way.make(batch))]
    return suiting or [candidate]


def _readings(candidate: Candidate, model: nn.Module, batch: int) -> Iterator[Candidate]:
    yield candidate
    value = candidate.make(batch)
    if isinstance(value, Mapping):
        yield from _dictionary_readings(candidate, model, value)
    elif isinstance(value, (tuple, list)):
        for count in range(len(value) - 1, 0, -1):
            yield _with_target(candidate, f"item {count + 1} is the target", _first_items(count))


def _first_items(count: int) -> Callable[[Any], Batch]:
    return lambda value: Batch(tuple(value[:count]), value[count])


def _dictionary_readings(candidate: Candidate, model: nn.Module, value: Mapping[str, Any]) -> Iterator[Candidate]:
    """Yield readings with a labelled item as target: the others by keyword, as far as they are known, or in order."""
    taken = _parameter_names(model)
    spare = [name for name in value if name not in taken]
    for label in [name for name in spare if name in LABELS] or spare[:1]:
        known = [name for name in value if name in taken]
        others = [name for name in value if name != label]
        if known:
            yield _with_target(candidate, f"'{label}' is the target", _items_by_name(known, label))
        elif others:
            yield _with_target(candidate, f"'{label}' is the target", _items_in_order(others, label))


def _items_by_name(names: list[str], label: str) -> Callable[[Any], Batch]:
    return lambda value: Batch({name: value[name] for name in names}, value[label])


def _items_in_order(names: list[str], label: str) -> Callable[[Any], Batch]:
    return lambda value: Batch(tuple(value[name] for name in names), value[label])


def _with_target(candidate: Candidate, how: str, split: Callable[[Any], Batch]) -> Candidate:
    text = f"{candidate.text}; {how}"
    return replace(candidate, text=text, make=lambda size: split(candidate.make(size)))


def _parameter_names(model: nn.Module) -> set[str]:
    try:
        return set(inspect.signature(model.forward).parameters)
    except (TypeError, ValueError):
        return set()


def _suits(model: nn.Module, batch: Any) -> bool:
    positions, keywords = _arguments(batch)
    try:
        inspect.signature(model.forward).bind(*positions, **keywords)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def add_target(candidate: Candidate, make_target: Callable[[int], torch.Tensor | None], text: str) -> Candidate:
    """Return the candidate as a loader would give it: a tuple that ends with the target."""

    def make(size: int) -> Any:
        value = candidate.make(size)
        return (*(value if isinstance(value, (tuple, list)) else (value,)), make_target(size))

    return replace(candidate, text=f"{candidate.text}; then a target for {text}", make=make)
