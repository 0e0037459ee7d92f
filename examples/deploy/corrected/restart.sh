#!/bin/bash
# The memory of a process is limited in the script: torch.cuda.set_per_process_memory_fraction(0.8).
nvidia-smi --query-gpu=name,memory.total --format=csv
for attempt in 1 2 3; do
  echo "attempt $attempt"
  torchrun --nproc_per_node=2 --max-restarts=3 train.py --resume checkpoints/last.pt && exit 0
  sleep 60
done
exit 1
