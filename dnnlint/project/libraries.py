"""Which imports are known libraries. Nothing here may import a parser: the way to a cached result reads it."""

from __future__ import annotations

KNOWN = frozenset(
    "torch torchvision torchaudio torchtext torchmetrics timm numpy scipy sklearn pandas matplotlib seaborn "
    "PIL cv2 tqdm rich wandb mlflow comet_ml neptune tensorboard tensorboardX logging builtins os sys time "
    "datetime math random json yaml re io copy collections itertools functools pathlib shutil glob contextlib "
    "argparse typing dataclasses enum warnings gc subprocess socket pickle csv hashlib tempfile threading "
    "multiprocessing queue transformers datasets tokenizers huggingface_hub safetensors evaluate accelerate "
    "peft diffusers einops hydra omegaconf absl click typer fire loguru h5py psutil pynvml tabulate termcolor "
    "fvcore iopath nltk sentencepiece tiktoken sacrebleu jiwer librosa soundfile torch_geometric dgl networkx "
    "gym gymnasium statistics string traceback inspect operator uuid platform getpass signal abc types struct "
    "ast pprint textwrap urllib requests tensorflow keras jax visdom imageio skimage albumentations torchinfo "
    "torchsummary thop ptflops prettytable lightning pytorch_lightning apex deepspeed bitsandbytes torch_xla "
    "torch_ema ema_pytorch".split()
)
