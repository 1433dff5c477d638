"""What the bench compares with on an NVIDIA GPU: Hugging Face's formulas, the same compiled, and Liger's kernels."""

import torch


def rms_norm(source, weight, epsilon):
    """Hugging Face's LlamaRMSNorm."""
    wide = source.to(torch.float32)
    variance = wide.pow(2).mean(-1, keepdim=True)
    wide = wide * torch.rsqrt(variance + epsilon)
    return weight * wide.to(source.dtype)


def layer_norm(source, weight, bias, epsilon):
    return torch.nn.functional.layer_norm(source, (source.shape[-1],), weight, bias, epsilon)


def add_rms_norm(source, residual, weight, epsilon):
    """What a decoder layer of Hugging Face does between its blocks."""
    total = source + residual
    return rms_norm(total, weight, epsilon), total


# The function, its inputs of (rows, columns), its parameters of (columns), its outputs.
OPERATIONS = {
    "rmsNorm": (rms_norm, 1, 1, 1),
    "layerNorm": (layer_norm, 1, 2, 1),
    "addRmsNorm": (add_rms_norm, 2, 1, 2),
}


def liger_operations():
    """Liger's functions by operation, called as its modules call them by default; raises ImportError without Liger."""
    from liger_kernel.ops.layer_norm import LigerLayerNormFunction
    from liger_kernel.ops.rms_norm import LigerRMSNormFunction

    operations = {
        "rmsNorm": lambda source, weight, epsilon: LigerRMSNormFunction.apply(
            source, weight, epsilon, 0.0, "llama", True
        ),
        "layerNorm": lambda source, weight, bias, epsilon: LigerLayerNormFunction.apply(source, weight, bias, epsilon),
    }
    try:
        from liger_kernel.ops.fused_add_rms_norm import LigerFusedAddRMSNormFunction

        operations["addRmsNorm"] = lambda source, residual, weight, epsilon: LigerFusedAddRMSNormFunction.apply(
            source, residual, weight, epsilon, 0.0, "llama", False
        )
    except ImportError:
        pass  # an older Liger
    return operations


class Variants:
    """Finds a function by operation and variant: eager, compile, liger."""

    def __init__(self):
        self.absent = {}
        self.liger = {}
        self.compiled = {}
        try:
            self.liger = liger_operations()
        except Exception as error:  # whatever an import runs into
            self.absent["liger"] = f"{type(error).__name__}: {error}".splitlines()[0]

    def find(self, operation, variant):
        if variant == "eager":
            return OPERATIONS[operation][0]
        if variant == "liger":
            if operation not in self.liger:
                raise NotImplementedError(f"Liger has no {operation}")
            return self.liger[operation]
        if variant != "compile":
            raise NotImplementedError(f"no variant {variant}")
        if operation not in self.compiled:
            self.compiled[operation] = torch.compile(OPERATIONS[operation][0], dynamic=False)
        return self.compiled[operation]

    def versions(self):
        found = {"eager": torch.__version__, "compile": torch.__version__}
        try:
            from triton import __version__

            found["compile"] += f" with triton {__version__}"
        except ImportError:
            pass
        if self.liger:
            try:
                from importlib.metadata import version

                found["liger"] = version("liger_kernel")
            except Exception:  # a folder without metadata
                found["liger"] = "from a folder"
        return found
