# A checkpoint of a wrapped model is read: the name stands in a comment and in a string.
import torch

from cities import CityNet

# weights were saved from nn.DataParallel, which adds "module." to each name
state = torch.load("dataparallel.pt", map_location="cpu", weights_only=True)
state = {name.removeprefix("module."): value for name, value in state.items()}
model = CityNet()
model.load_state_dict(state)
print("loaded the weights of a torch.nn.DataParallel model")
