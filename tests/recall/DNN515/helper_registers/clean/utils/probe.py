def watch_gradients(model, record):
    """Records the norm of each parameter's gradient when it is computed."""
    handles = []
    for name, p in model.named_parameters():
        def hook(grad, name=name):
            record[name] = grad.norm()
        handles.append(p.register_hook(hook))
    return handles
