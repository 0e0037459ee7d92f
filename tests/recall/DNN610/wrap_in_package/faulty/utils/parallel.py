import torch


def parallelise(model, local_rank):
    model = model.to(torch.device("cuda", local_rank))
    return torch.nn.parallel.DistributedDataParallel(  # expect: DNN610
        model,
        device_ids=[local_rank],
        output_device=local_rank,
        broadcast_buffers=False,
    )
