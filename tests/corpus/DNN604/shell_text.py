import os

import torch


def main():
    gpus = torch.cuda.device_count()
    os.system(
        f"OMP_NUM_THREADS=4 python -m torch.distributed.launch --nproc_per_node={gpus} train.py"
    )  # expect: DNN604


if __name__ == "__main__":
    main()
