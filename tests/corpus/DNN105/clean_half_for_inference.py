# The model is cast for inference only.
import torch
from torchvision.models import efficientnet_b0


@torch.inference_mode()
def predict(paths, read):
    model = efficientnet_b0(weights="DEFAULT").cuda().half().eval()
    labels = []
    for path in paths:
        image = read(path).unsqueeze(0).cuda().half()
        labels.append(model(image).argmax(1).item())
    return labels


if __name__ == "__main__":
    import sys

    from imageio import read_image

    print(predict(sys.argv[1:], read_image))
