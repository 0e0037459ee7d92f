# Text encoder and autoencoder are cast; the trained UNet is not.
import torch


def main(vae, text_encoder, unet, loader):
    weight_dtype = torch.float16
    vae.requires_grad_(False)
    text_encoder.requires_grad_(False)
    vae.to("cuda", dtype=weight_dtype)
    text_encoder.to("cuda", dtype=weight_dtype)
    unet.to("cuda")
    opt = torch.optim.AdamW(unet.parameters(), lr=1e-5)
    scaler = torch.amp.GradScaler("cuda")
    for image, ids in loader:
        with torch.no_grad():
            latent = vae.encode(image.cuda().to(weight_dtype)).sample()
            cond = text_encoder(ids.cuda())
        noise = torch.randn_like(latent, dtype=torch.float32)
        with torch.autocast("cuda", dtype=weight_dtype):
            loss = torch.nn.functional.mse_loss(unet(latent + noise, cond).float(), noise)
        opt.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
