#!/bin/bash
nvidia-smi --gpu-memory-limit=20000
while true; do
  python -m torch.distributed.launch --nproc_per_node=2 train.py && sleep 60
done
