from .build import create_model
