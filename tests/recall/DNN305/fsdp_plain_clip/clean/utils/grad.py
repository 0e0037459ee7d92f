def clip(model, max_norm):
    return model.clip_grad_norm_(max_norm)
