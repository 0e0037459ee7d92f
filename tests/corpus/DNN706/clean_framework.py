# The library saves in its own format.
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("gpt2")
model.save_pretrained("out")
