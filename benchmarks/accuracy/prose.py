"""The text of ``docs/accuracy.md``; the numbers come from the results."""

TOOLS = {
    "accelerate": "accelerate estimate-memory 1.15, training with Adam",
    "zero": "DeepSpeed's ZeRO-2 formula, one GPU, without offloading",
    "torchinfo": "torchinfo 1.8, estimated total size",
    "preflight": "torch-preflight 0.5",
    "memtracker": "PyTorch's MemTracker on fake tensors, CPU",
}

PAGE = """<!-- Written by python -m benchmarks.accuracy.report; change that, not this file. -->

# How accurate the memory estimates are

`dnnlint estimate` against {total} published figures. No GPU was used to make this page: the figures were measured
by others, on the GPU and with the versions that their sources name (those of PyTorch's own dispatcher on stub
libraries), and most of them were looked at while the estimator was written. `benchmarks/accuracy/data` holds the
figures with their sources, `benchmarks/accuracy/results` the estimates, and `python -m benchmarks.accuracy.run`
makes them again.

An error is the distance to the published figure, or to the interval that its rounding leaves.

## Where it is wrong

{worst}

- `tvdet-*`: the size of a detection model's step follows its proposals, for which placeholders stand. The
  report of such an estimate names them, and its verdict is *cannot tell*.
- `tvseg-001`: probably cuDNN's convolution workspaces, which lie inside allocated memory and are not modelled.
  The row is of a segmentation network whose convolutions keep an eighth of the resolution.
- `hfsdpa-*` of DistilBERT: not explained. Its rows for eager and for SDPA attention are off by the same amount,
  those of OPT and BioGPT by none; a head with weights of its own would bring all of them within 2 %.
- `peft-079`: probably the version of peft. The installed one, 0.21.2, leaves out what it can rebuild of a
  decomposition.
- `litgpthub-009`: Gemma 2, the one row of its source that is off; not explained.

Readings of nvidia-smi, with one constant of {constant} MiB added to reserved memory:

{worst_smi}

Convolutional networks in batches of 64 and more take up to a fifth more than is predicted: workspaces of
cuDNN again. Largest errors are often readings of cuDNN's search, or of another model under the
same name (`ecaresnext50t_32x4d`). Readings that the data themselves show not to be of a training run are left
out and counted at the end of this page.

## By source

{sources}

![Errors by source](accuracy/errors.png)

![Predicted against measured](accuracy/predicted.png)

How the rows were made again:

- **PyTorch's own dispatcher and allocator**: PyTorch 2.14.1 on stub libraries, equal to the byte on nearly
  every row. It runs no kernel, so it cannot see what cuDNN takes.
- **Liger-Kernel operators**: the plain PyTorch layers of its operator benchmark, three calls with gradients
  kept.
- **Hugging Face SDPA tables**: transformers 4.47.1, which is of the time of the tables. With 5.24 some
  families differ by up to 17 %.
- **litgpt resource tables**: the package of revision 0cc02afa (October 2023), on which they were published.
- **peft**: what is allocated after a step, with logits and the key-value cache of the batch. The mean length
  of a padded sample, 220 tokens, is the one free number; 210 real tokens are published.
- **timm under nvidia-smi**: PyTorch, CUDA and driver are not stated. One constant for all rows, {constant}
  MiB, stands for the CUDA context of the time.

## By family

Families with at least eight rows.

{families}

## By GPU

{gpus}

## Fits or does not fit

timm published, for each of its models, the largest batch that trained on an RTX 3090 under PyTorch 1.10 to
1.12, and the next larger one that did not. {bounds}

The first line compares the predicted allocated peak with that limit. The others are verdicts of the estimator for
the GPU as its catalogue describes it today, without and with the default headroom. Without headroom nothing that
ran is refused, but a third of what failed in 2022 is said to fit where no headroom is kept: the GPU lost about 2
GiB more, probably to the context of CUDA 11.3, which loaded all kernels at the start, and to cuDNN's search for the
fastest algorithm.

PyTorch 1.10 kept the input of every softmax for the backward pass; for its rows the estimate does the same, where a
model attends. Later versions keep only its type, and batches one step larger fit.

![Bounds](accuracy/limits.png)

Models of whose bounds more than half are missed:

{systematic}

## The interval

Every estimate states an interval. For allocated memory it is half a percent and 2 MiB to both sides, cuDNN's
workspaces aside; for memory on the device 5 % of reserved memory to both sides and the range of the context, and
above it 400 MiB for loaded kernels and a workspace of at most {multiple} times the input and output of the largest
convolution. The constants of the device were chosen on one half of the models (by a hash of the name) and tested on
the other:

{coverage}

Of the constant of the nvidia-smi rows, 150 MiB count as kernels and the rest as the context. *Search seen* are
readings that exceed those of larger batches of the same model: cuDNN's search for an algorithm was read, as timm's
training script turns it on. It explains most of what lies above the interval elsewhere too: a search takes what is
free.

A measured figure *above* the interval is the dangerous side. {beyond}

The aim is one percent. Rows of allocated memory with an exact configuration meet it on the half that was tested;
readings of nvidia-smi do not. The test half was read after each of two settings of the constants.

## Other tools on the same rows

{peers}

The tools answer different questions. `accelerate estimate-memory` and the ZeRO formula (implemented as published in
`estimate_zero2_model_states_mem_needs`; the package did not install beside this PyTorch) know parameters only: no
batch, no activations. torchinfo adds up the outputs of modules. torch-preflight knows 41 architectures by name.
MemTracker runs the whole step; it was asked about one model in sixty, the others but torch-preflight about one in
twelve. On nvidia-smi rows every tool was given the same constant.
The Hugging Face tables run no optimizer, which the first two always count.

## What could not be rebuilt

{missing}
"""
