"""Run the command line with ``python -m dnnlint``."""

from dnnlint.cli import main

raise SystemExit(main())
