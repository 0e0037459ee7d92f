"""The wheel holds dnnlint and nothing else, although its sources lie in three top-level folders."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

import dnnlint

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
LINKED = ("rules", "estimators")
FAULTY = "examples/image_classification/train_faulty.py"
HEAVY_MODULES = ("torch", "rich", "libcst.matchers", "libcst.codemod")


@dataclass(frozen=True)
class Distribution:
    """A wheel and the sdist that were built from one copy of the checkout."""

    wheel: Path
    sdist: Path


def run(*command: str | Path, cwd: Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command], cwd=cwd, env={**os.environ, **(env or {})}, capture_output=True, text=True
    )


def build(source: Path, target: Path, kind: str) -> Path:
    result = run(sys.executable, "-m", "build", "--no-isolation", kind, "--outdir", target, source, cwd=source)
    assert result.returncode == 0, result.stdout + result.stderr
    return next(iter(target.iterdir()))


@pytest.fixture(scope="session")
def distribution(tmp_path_factory: pytest.TempPathFactory) -> Distribution:
    folder = tmp_path_factory.mktemp("distribution")
    ignored = shutil.ignore_patterns(
        ".git", ".venv*", ".*_cache", ".hypothesis", "__pycache__", "*.egg-info", "build", "dist"
    )
    checkout = shutil.copytree(ROOT, folder / "checkout", symlinks=True, ignore=ignored)
    return Distribution(build(checkout, folder / "wheel", "--wheel"), build(checkout, folder / "sdist", "--sdist"))


@pytest.fixture(scope="session")
def site_packages(distribution: Distribution, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed wheel; its dependencies come from the environment of the tests."""
    target = tmp_path_factory.mktemp("site")
    options = ("--no-deps", "--no-index", "--disable-pip-version-check", "--target", target)
    result = run(sys.executable, "-m", "pip", "install", *options, distribution.wheel, cwd=target)
    assert result.returncode == 0, result.stderr
    return target


def contents(wheel: Path) -> dict[str, int]:
    """File names with their checksums, without the metadata, which names the files once more."""
    with zipfile.ZipFile(wheel) as archive:
        return {entry.filename: entry.CRC for entry in archive.infolist() if ".dist-info/" not in entry.filename}


def checkout_files(suffix: str) -> Iterator[str]:
    """Files of the package as the checkout shows them, through the links into rules and estimators."""
    for folder, _, names in os.walk(ROOT / "dnnlint", followlinks=True):
        for name in names:
            if name.endswith(suffix):
                yield Path(folder, name).relative_to(ROOT).as_posix()


def project_table() -> dict[str, object]:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert isinstance(table, dict)
    return table


def test_every_package_is_listed() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    found = {path.removesuffix("/__init__.py").replace("/", ".") for path in checkout_files("__init__.py")}
    assert set(settings["packages"]) == found


@pytest.mark.parametrize("folder", LINKED)
def test_checkout_link_is_relative(folder: str) -> None:
    """A link to an absolute path would lead out of every clone but one."""
    assert os.readlink(ROOT / "dnnlint" / folder) == f"../{folder}"


def test_version_is_the_same_everywhere() -> None:
    version = project_table()["version"]
    assert dnnlint.__version__ == version
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_wheel_holds_only_dnnlint(distribution: Distribution) -> None:
    with zipfile.ZipFile(distribution.wheel) as archive:
        roots = {name.split("/")[0] for name in archive.namelist()}
    assert roots == {"dnnlint", f"dnnlint-{dnnlint.__version__}.dist-info"}


@pytest.mark.parametrize("suffix", [".py", ".md", "py.typed"])
def test_wheel_holds_every_file_of_the_package(distribution: Distribution, suffix: str) -> None:
    assert {name for name in contents(distribution.wheel) if name.endswith(suffix)} == set(checkout_files(suffix))


def test_wheel_carries_the_licence(distribution: Distribution) -> None:
    with zipfile.ZipFile(distribution.wheel) as archive:
        licence = archive.read(f"dnnlint-{dnnlint.__version__}.dist-info/licenses/LICENSE")
    assert licence == (ROOT / "LICENSE").read_bytes()


def test_sdist_builds_the_same_wheel(distribution: Distribution, tmp_path: Path) -> None:
    shutil.unpack_archive(distribution.sdist, tmp_path, filter="data")
    source = tmp_path / f"dnnlint-{dnnlint.__version__}"
    assert contents(build(source, tmp_path / "wheel", "--wheel")) == contents(distribution.wheel)


def test_install_pulls_no_torch() -> None:
    """A pre-commit hook that downloads PyTorch is a hook nobody keeps."""
    dependencies = project_table()["dependencies"]
    assert isinstance(dependencies, list)
    assert not [line for line in dependencies if str(line).startswith(("torch", "fvcore"))]


def test_installed_script_reports_its_version(site_packages: Path) -> None:
    result = run(
        site_packages / "bin" / "dnnlint", "--version", cwd=site_packages, env={"PYTHONPATH": str(site_packages)}
    )
    assert (result.returncode, result.stdout.split()) == (0, ["dnnlint", dnnlint.__version__])


def test_installed_package_checks_a_file(site_packages: Path, tmp_path: Path) -> None:
    """The rules are found at the place where the wheel put them, not in the checkout."""
    shutil.copy(ROOT / FAULTY, tmp_path / "train.py")
    code = "import dnnlint, sys; from dnnlint.cli import main; print(dnnlint.__file__); sys.exit(main(sys.argv[1:]))"
    arguments = ("check", "--no-cache", "--format", "concise", "train.py")
    result = run(sys.executable, "-c", code, *arguments, cwd=tmp_path, env={"PYTHONPATH": str(site_packages)})
    assert result.returncode == 1, result.stderr
    assert result.stdout.startswith(str(site_packages))
    assert "DNN101" in result.stdout


def test_check_imports_nothing_heavy(tmp_path: Path) -> None:
    """An importable stand-in for torch shows an import that an `except ImportError` would hide."""
    (tmp_path / "torch.py").touch()
    code = (
        "import sys; from dnnlint.cli import main; code = main(sys.argv[1:])\n"
        f"print('LOADED', [name for name in {HEAVY_MODULES} if name in sys.modules], code)"
    )
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    arguments = ("check", "--no-cache", "--format", "json", ROOT / FAULTY)
    result = run(sys.executable, "-c", code, *arguments, cwd=tmp_path, env={"PYTHONPATH": path})
    assert result.stdout.endswith("LOADED [] 1\n"), result.stdout + result.stderr


def test_rules_are_loaded_once() -> None:
    """``import rules`` would load a second copy of every rule; the linter's banned-api forbids it in the sources."""
    code = f"import sys; from dnnlint import rules; rules.all_rules(); print([n for n in {LINKED} if n in sys.modules])"
    result = run(sys.executable, "-c", code, cwd=ROOT)
    assert (result.stdout, result.stderr) == ("[]\n", "")


def test_action_hands_inputs_over_as_variables() -> None:
    """An input in the text of a script could add a command to it; a step without a shell does not run at all."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    scripts = [step for step in action["runs"]["steps"] if "run" in step]
    assert [step["name"] for step in scripts] == ["Install dnnlint", "Write the SARIF report", "Check and annotate"]
    assert all(step["shell"] == "bash" and "${{" not in step["run"] for step in scripts)
