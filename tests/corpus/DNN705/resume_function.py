# A resume function that allows any pickle.
import torch


def resume(model, optimizer, path):
    state = torch.load(path, map_location="cpu", weights_only=False)  # expect: DNN705
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return state["epoch"]
