#!/usr/bin/env bash
set -euo pipefail

DATA=${1:?data folder}
GPUS=${GPUS:-4}
torchrun --nproc-per-node="$GPUS" train.py --root "$DATA"
