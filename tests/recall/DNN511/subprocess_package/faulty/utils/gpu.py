import subprocess


def prepare(index):
    """Sets up the GPU and returns its name."""
    subprocess.run(["nvidia-smi", "-i", str(index), "--memory-limit", "16000"], check=True)  # expect: DNN511
    out = subprocess.check_output(
        ["nvidia-smi", "-i", str(index), "--query-gpu=name,memory.total", "--format=csv,noheader"], text=True
    )
    return out.strip()
