#!/usr/bin/env bash
set -euo pipefail

DATA=${1:?data folder}
GPUS=${GPUS:-4}
python -m torch.distributed.launch --nproc_per_node="$GPUS" train.py --root "$DATA" # expect: DNN604
