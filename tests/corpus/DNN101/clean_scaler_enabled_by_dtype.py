# The dtype depends on the card, and the scaler is enabled exactly when it is float16.
import torch
from torchvision.models.segmentation import fcn_resnet50

dtype = torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
scaler = torch.amp.GradScaler("cuda", enabled=(dtype == torch.float16))


def train(loader, classes, iterations):
    model = fcn_resnet50(num_classes=classes).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    stream = iter(loader)
    for _ in range(iterations):
        try:
            image, mask = next(stream)
        except StopIteration:
            stream = iter(loader)
            image, mask = next(stream)
        with torch.autocast("cuda", dtype=dtype):
            loss = torch.nn.functional.cross_entropy(model(image.cuda())["out"], mask.cuda(), ignore_index=255)
        opt.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()
