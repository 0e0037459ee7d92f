"""GPU logs: read what a monitor recorded, judge it against thresholds, watch a GPU live."""
