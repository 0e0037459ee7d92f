"""The order that the command gives to the child process, as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from dnnlint.estimators.options import EstimateOptions, InputSpec, OptimizerSpec


def to_json(target: str, options: EstimateOptions) -> dict[str, object]:
    """Return the JSON object of an order."""
    return {"target": target, "options": dataclasses.asdict(options)}


def from_json(data: Mapping[str, Any]) -> tuple[str, EstimateOptions]:
    """Rebuild target and options."""
    options = dict(data["options"])
    options["inputs"] = tuple(
        InputSpec(tuple(item["shape"]), item["dtype"], item["name"]) for item in options["inputs"]
    )
    options["freeze"] = tuple(options["freeze"])
    options["arguments"] = _pairs(options["arguments"])
    if options["optimizer"] is not None:
        options["optimizer"] = OptimizerSpec(options["optimizer"]["name"], _pairs(options["optimizer"]["arguments"]))
    return str(data["target"]), EstimateOptions(**options)


def _pairs(items: list[list[Any]]) -> tuple[tuple[str, Any], ...]:
    return tuple((str(name), value) for name, value in items)
