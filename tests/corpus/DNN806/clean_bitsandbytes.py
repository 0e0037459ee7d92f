# The library quantizes while it loads.
from transformers import AutoModelForCausalLM, BitsAndBytesConfig

net = AutoModelForCausalLM.from_pretrained("gpt2", quantization_config=BitsAndBytesConfig(load_in_8bit=True))
