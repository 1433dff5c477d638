"""Packets, atomics, address spaces and sizes."""
import re

import numpy as np
from driver import Kernel, compile_text

TYPES = {"float": np.uint32, "half": np.uint16, "bfloat": np.uint16}


def check_packets(report, gpu, texts):
    random = np.random.default_rng(7)
    for storage, words in TYPES.items():
        for pack in (1, 2, 4, 8, 16):
            macros = {"STORAGE": storage, "ROW_PACK": pack, "METILE_THREADS": 128}
            count = 1000
            values = random.standard_normal(count * pack).astype(np.float32)
            source = {"float": values, "half": values.astype(np.float16), "bfloat": (values.view(np.uint32) >> 16).astype(np.uint16)}[storage].view(words)
            target = np.zeros_like(source)
            kernel = Kernel(gpu, texts, "memory.cu", "packets", macros)
            kernel.run((8,), 128, {0: source, 1: target, 2: np.uint32(count)})
            report.equal(f"packets of {pack} {storage}", target, source)
            bytes_ = pack * source.itemsize
            if bytes_ < 16:
                continue
            ptx = compile_text(texts.read("memory.cu"), "memory.cu", macros, gpu.architecture.replace("sm", "compute"), ptx=True).decode()
            body = ptx[ptx.index(".entry packets") :].split(".entry", 2)[1]
            loads, stores = (re.findall(rf"{op}\.global\.v4\.\w+", body) for op in ("ld", "st"))
            narrow = re.findall(r"(?:ld|st)\.global\.(?!v4)\S+", body)
            good = len(loads) == len(stores) == bytes_ // 16 and not narrow
            report.say(f"packets of {pack} {storage} move 16 bytes at once", good, f"{len(loads)} loads, {len(stores)} stores, others {narrow}")


def check_atomics(report, gpu, texts):
    status, whole, real = np.zeros(8, np.uint32), np.zeros(2, np.int32), np.zeros(1, np.float32)
    status[4] = 0xFFFFFFFF
    threads, groups = 256, 100
    Kernel(gpu, texts, "memory.cu", "atomics", {"STORAGE": "float", "ROW_PACK": 1, "METILE_THREADS": threads}).run((groups,), threads, {0: status, 1: whole, 2: real})
    n = threads * groups
    report.equal("atomics of uint", status, np.array([n, 0xFFFFFFFF, n - 1, np.bitwise_xor.reduce(np.arange(n)), 0, 3 * n, 77, 88], np.uint32))
    report.equal("atomics of int", whole, np.array([-2 * n, 1 - n], np.int32))
    report.equal("atomic sum of float", real, np.array([n / 2], np.float32))


def check_spaces(report, gpu, texts):
    macros = {"STORAGE": "float", "ROW_PACK": 1, "METILE_THREADS": 64}
    kernel = Kernel(gpu, texts, "memory.cu", "spaces", macros)
    for flag in (0, 1):
        target = np.zeros(64, np.float32)
        values = {1: target, 3: np.uint32(flag), 4: np.array([1, 2, 3, 4], np.uint64), 5: np.int32(-5), 6: np.array([0.5, 0.25], np.float32), 7: np.array([100, 200, 300], np.uint32)}
        kernel.run((1,), 64, values, memory={0: 256, 1: 256})
        t = np.arange(64)
        n = (t + 1) % 64
        wanted = n + n * 200.0 + 2.5 * np.array([3, 5, 7, 11])[n % 4] + 0.25 + 0.5 + 10000 * flag + t % 4 + 1 - 5 + np.array([100, 200, 300])[t % 3]
        report.equal(f"address spaces and constants, flag {flag}", target, wanted.astype(np.float32))
    sizes = np.zeros(8, np.uint32)
    Kernel(gpu, texts, "memory.cu", "sizes", macros).run((1,), 1, {0: sizes})
    report.equal("sizes of types", sizes, np.array([16, 12, 8, 32, 64, 16, 1, 4], np.uint32))


def check_memory(report, gpu, texts):
    check_packets(report, gpu, texts)
    check_atomics(report, gpu, texts)
    check_spaces(report, gpu, texts)
