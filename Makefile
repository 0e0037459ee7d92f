# Every target sets up what it needs from nothing but python3 with pip: `make demo` and `make test` on a fresh clone.

PYTHON ?= python3
DEMO_ENV := .venv
TEST_ENV := .venv-test
WHEEL_ENV := .venv-wheel
PIP_OPTIONS := --quiet --disable-pip-version-check --constraint constraints.txt
INSTALL_INPUTS := pyproject.toml constraints.txt

# What `make bench` reads, and where the commands of other linters lie.
CORPUS ?= timm
PEERS ?= $(TEST_ENV)/bin

.PHONY: demo test lint types package bench clean

# Check the examples: findings in the faulty trainers, none in the corrected ones; then estimate what training them needs.
demo: $(DEMO_ENV)/.installed
	@sh examples/demo.sh $(DEMO_ENV)/bin/dnnlint

test: lint types
	$(TEST_ENV)/bin/python -m pytest --cov --cov-report=term:skip-covered

lint: $(TEST_ENV)/.installed
	$(TEST_ENV)/bin/ruff check .
	$(TEST_ENV)/bin/ruff format --check .

types: $(TEST_ENV)/.installed
	$(TEST_ENV)/bin/mypy

# Build wheel and sdist, install the wheel alone, without PyTorch, and use it from a folder without the sources.
package: $(TEST_ENV)/.installed
	rm -rf dist build $(WHEEL_ENV)
	$(TEST_ENV)/bin/python -m build --quiet --no-isolation --outdir dist .
	$(PYTHON) -m venv $(WHEEL_ENV)
	$(WHEEL_ENV)/bin/python -m pip install $(PIP_OPTIONS) dist/*.whl
	cd examples && ../$(WHEEL_ENV)/bin/dnnlint --version
	cd examples && ../$(WHEEL_ENV)/bin/dnnlint check --no-cache image_classification/train.py language_model/train.py
	cd examples && ! ../$(WHEEL_ENV)/bin/python -c "import torch" 2>/dev/null

bench: $(TEST_ENV)/.installed
	$(TEST_ENV)/bin/python -m pip install $(PIP_OPTIONS) --no-deps timm
	$(TEST_ENV)/bin/python benchmarks/lint_speed.py --corpus $(CORPUS) --peers $(PEERS)

clean:
	rm -rf $(DEMO_ENV) $(TEST_ENV) $(WHEEL_ENV) build dist *.egg-info .dnnlint_cache .mypy_cache .ruff_cache .pytest_cache .coverage

# The stamp is the last thing written, so a broken installation is made anew by the next call.
# setuptools goes first: without build isolation the build uses this one and pip fetches no second copy.
$(DEMO_ENV)/.installed: $(INSTALL_INPUTS)
	$(PYTHON) -m venv $(DEMO_ENV)
	$(DEMO_ENV)/bin/python -m pip install $(PIP_OPTIONS) setuptools
	$(DEMO_ENV)/bin/python -m pip install $(PIP_OPTIONS) --no-build-isolation --editable ".[estimate]"
	touch $@

$(TEST_ENV)/.installed: $(INSTALL_INPUTS)
	$(PYTHON) -m venv $(TEST_ENV)
	$(TEST_ENV)/bin/python -m pip install $(PIP_OPTIONS) setuptools
	$(TEST_ENV)/bin/python -m pip install $(PIP_OPTIONS) --no-build-isolation --editable ".[dev,estimate]"
	touch $@
