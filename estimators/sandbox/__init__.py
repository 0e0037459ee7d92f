"""Run code that nobody reviewed in a process that cannot harm: limits, no network, writes in a scratch folder."""

from dnnlint.estimators.sandbox.parent import Limits, SandboxError, run_sandboxed

__all__ = ["Limits", "SandboxError", "run_sandboxed"]
