from torch.nn.parallel import DistributedDataParallel

DDP_KWARGS = {"find_unused_parameters": True, "gradient_as_bucket_view": True}  # expect: DNN606


def wrap(model, local_rank):
    return DistributedDataParallel(model.cuda(), device_ids=[local_rank], **DDP_KWARGS)  # or: DNN606
