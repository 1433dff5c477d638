"""libcuda and NVRTC by ctypes: as much as the check needs. Nothing but numpy is imported."""
import ctypes as c
import glob
import json
import os
import sys

import numpy as np

OPTIONS = [
    "--device-as-default-execution-space", "--std=c++17",
    "--fmad=false", "--ftz=false", "--prec-div=true", "--prec-sqrt=true",
]


def open_library(variable, patterns, fallback):
    """A library named by an environment variable, else the first that a pattern finds, else what the loader knows."""
    found = [os.environ[variable]] if variable in os.environ else [p for q in patterns for p in sorted(glob.glob(q))]
    return c.CDLL((found or [fallback])[0])


def open_nvrtc():
    wheels = [os.path.join(folder, "nvidia", "*", "lib", "libnvrtc.so.1[0-9]") for folder in sys.path]
    toolkits = ["/usr/local/cuda*/lib64/libnvrtc.so.1[0-9]", "/usr/local/cuda*/targets/*/lib/libnvrtc.so.1[0-9]"]
    return open_library("METILE_NVRTC", wheels + toolkits, "libnvrtc.so")


class Texts:
    """The texts that `metile-msl cuda` wrote."""

    def __init__(self, folder):
        with open(os.path.join(folder, "texts.json"), encoding="utf8") as file:
            self.all = {text["file"]: text for text in json.load(file)}
        self.folder = folder

    def read(self, file):
        with open(os.path.join(self.folder, file), encoding="utf8") as text:
            return text.read()


def compile_text(text, name, macros, architecture, ptx=False, extra=()):
    """The cubin (or PTX) of a text with macros; a message instead of bytes where NVRTC refuses it."""
    nvrtc = open_nvrtc()
    program = c.c_void_p()
    nvrtc.nvrtcCreateProgram(c.byref(program), text.encode(), name.encode(), 0, None, None)
    defined = [f"-D{macro}={value}" for macro, value in macros.items()]
    options = [f"--gpu-architecture={architecture}", *OPTIONS, *extra, *defined]
    status = nvrtc.nvrtcCompileProgram(program, len(options), (c.c_char_p * len(options))(*[o.encode() for o in options]))
    size = c.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, c.byref(size))
    log = c.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    if status != 0:
        return log.value.decode()
    kind = "PTX" if ptx else "CUBIN"
    getattr(nvrtc, f"nvrtcGet{kind}Size")(program, c.byref(size))
    result = c.create_string_buffer(size.value)
    getattr(nvrtc, f"nvrtcGet{kind}")(program, result)
    nvrtc.nvrtcDestroyProgram(c.byref(program))
    return result.raw


class Gpu:
    """The first GPU, its primary context current."""

    def __init__(self):
        self.cuda = open_library("METILE_CUDA", ["/usr/lib/*/libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1"], "libcuda.so.1")
        self.check(self.cuda.cuInit(0))
        device, context, major, minor = c.c_int(), c.c_void_p(), c.c_int(), c.c_int()
        self.check(self.cuda.cuDeviceGet(c.byref(device), 0))
        self.check(self.cuda.cuDevicePrimaryCtxRetain(c.byref(context), device))
        self.check(self.cuda.cuCtxSetCurrent(context))
        self.cuda.cuDeviceGetAttribute(c.byref(major), 75, device)
        self.cuda.cuDeviceGetAttribute(c.byref(minor), 76, device)
        self.architecture = f"sm_{major.value}{minor.value}"

    def check(self, status):
        if status != 0:
            message = c.c_char_p()
            self.cuda.cuGetErrorString(status, c.byref(message))
            raise RuntimeError(f"CUDA error {status}: {(message.value or b'').decode()}")

    def load(self, cubin):
        module = c.c_void_p()
        self.check(self.cuda.cuModuleLoadData(c.byref(module), cubin))
        return module

    def function(self, module, name):
        function = c.c_void_p()
        self.check(self.cuda.cuModuleGetFunction(c.byref(function), module, name.encode()))
        return function

    def attribute(self, function, number):
        value = c.c_int()
        self.check(self.cuda.cuFuncGetAttribute(c.byref(value), number, function))
        return value.value

    def unload(self, module):
        self.check(self.cuda.cuModuleUnload(module))


class Kernel:
    """A kernel of a text, compiled with macros."""

    def __init__(self, gpu, texts, file, name, macros):
        cubin = compile_text(texts.read(file), file, macros, gpu.architecture)
        if isinstance(cubin, str):
            raise RuntimeError(f"{file} {macros}\n{cubin}")
        self.gpu = gpu
        self.function = gpu.function(gpu.load(cubin), name)
        self.takes = next(kernel for kernel in texts.all[file]["kernels"] if kernel["name"] == name)

    def run(self, groups, threads, values, memory=None, first=(0, 0, 0), whole=None):
        """Launches with values by index. Arrays for pointers are copied to the GPU, and back into themselves."""
        cuda, check = self.gpu.cuda, self.gpu.check
        arrays, words = [], []
        for argument in self.takes["arguments"]:
            value = np.ascontiguousarray(values[argument["index"]])
            if argument["kind"] == "pointer":
                address = c.c_uint64()
                check(cuda.cuMemAlloc_v2(c.byref(address), c.c_size_t(max(value.nbytes, 16))))
                check(cuda.cuMemcpyHtoD_v2(address, value.ctypes.data_as(c.c_void_p), c.c_size_t(value.nbytes)))
                arrays.append((address, values[argument["index"]]))
                words.append(address)
            else:
                words.append(c.create_string_buffer(value.tobytes(), value.nbytes))
        offset = 0
        for index in self.takes["threadgroup"]:
            words.append(c.c_uint32(offset))
            offset += (memory[index] + 15) // 16 * 16
        groups = tuple(groups) + (1,) * (3 - len(groups))
        words += [(c.c_uint32 * 3)(*(whole or groups)), (c.c_uint32 * 3)(*first)]
        pointers = (c.c_void_p * len(words))(*[c.cast(c.pointer(word), c.c_void_p) for word in words])
        check(cuda.cuLaunchKernel(self.function, *groups, threads, 1, 1, offset, None, pointers, None))
        check(cuda.cuCtxSynchronize())
        for address, array in arrays:
            check(cuda.cuMemcpyDtoH_v2(array.ctypes.data_as(c.c_void_p), address, c.c_size_t(array.nbytes)))
            check(cuda.cuMemFree_v2(address))
