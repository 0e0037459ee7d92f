"""What to install for a package that cannot be imported."""

from __future__ import annotations

_DISTRIBUTIONS = {
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python",
    "dateutil": "python-dateutil",
    "dotenv": "python-dotenv",
    "git": "GitPython",
    "google.protobuf": "protobuf",
    "hydra": "hydra-core",
    "open_clip": "open-clip-torch",
    "PIL": "pillow",
    "pkg_resources": "setuptools",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "PyYAML",
}
"""Distributions that are not called like the package that they install."""


def distribution_of(module: str) -> str:
    """Return what ``pip install`` calls the distribution that brings ``module``, such as ``torchvision.models``.

    pip takes dashes and underscores for the same.
    """
    top = module.partition(".")[0]
    return _DISTRIBUTIONS.get(module, _DISTRIBUTIONS.get(top, top.replace("_", "-")))


def how_to_install(module: str) -> str:
    """Return the sentence of help for a missing module."""
    return f"Run pip install {distribution_of(module)} in the environment of dnnlint."
