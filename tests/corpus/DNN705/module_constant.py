# The value is a constant of the module; the function is imported by name.
from torch import load

SAFE = False
state = load("model.pt", weights_only=SAFE)  # expect: DNN705
