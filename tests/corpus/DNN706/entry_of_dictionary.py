# One entry is the model itself.
import torch
import torchvision

model = torchvision.models.resnet18()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def save(epoch):
    state = {"epoch": epoch, "optimizer": optimizer.state_dict()}
    torch.save({"model": model, "rest": state}, "last.pt")  # expect: DNN706
