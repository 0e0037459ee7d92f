from torch.nn.parallel import DistributedDataParallel

DDP_KWARGS = {"static_graph": True, "gradient_as_bucket_view": True}


def wrap(model, local_rank):
    return DistributedDataParallel(model.cuda(), device_ids=[local_rank], **DDP_KWARGS)
