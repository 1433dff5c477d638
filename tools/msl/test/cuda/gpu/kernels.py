"""Kernels that ship, against numpy in float64."""
import numpy as np
from conversions import round_to_bfloat, widen_bfloat
from driver import Kernel

ROW = {"ROW_THREADS": 256, "METILE_THREADS": 256, "ROW_WIDE": 0, "ROW_EXACT": 0, "ROW_KEEP": 1, "ROW_KEEP_WEIGHT": 1, "ROW_PREFETCH": 1}
STORE = {
    "float": (lambda x: x.astype(np.float32), lambda bits: bits),
    "half": (lambda x: x.astype(np.float16).view(np.uint16), lambda bits: bits.view(np.float16).astype(np.float32)),
    "bfloat": (lambda x: round_to_bfloat(x.astype(np.float32)), widen_bfloat),
}
UNIT = {"float": 2.0**-21, "half": 2.0**-10, "bfloat": 2.0**-7}


def check_rows(report, gpu, texts, storage, rows, width, settings):
    pack, unpack = STORE[storage]
    macros = {**ROW, **settings, "STORAGE": storage, "PARAMETER": storage, "COTANGENT": storage, "GRADIENT": "float"}
    threads = int(macros["ROW_THREADS"])
    random = np.random.default_rng(8)
    source, weight, cotangent = pack(random.standard_normal((rows, width))), pack(random.standard_normal(width)), pack(random.standard_normal((rows, width)))
    x, w, dy = (unpack(v).astype(np.float64) for v in (source, weight, cotangent))
    output, rstd = np.zeros_like(source), np.zeros(rows, np.float32)
    u32, u64, f32 = np.uint32, np.uint64, np.float32
    name = f"{storage} {rows}x{width} {settings}"
    groups = min(rows, 33)
    Kernel(gpu, texts, "rms_norm.cu", "rms_norm_forward", macros).run(
        (groups,), threads,
        {0: source, 1: weight, 2: output, 3: rstd, 4: u32(rows), 5: u32(width), 6: u64(width), 7: f32(1e-5), 8: f32(0.5), 9: u32(0), 10: u32(1)},
        memory={0: 512},
    )
    scale = 1 / np.sqrt((x**2).mean(1) + 1e-5)
    wanted = x * scale[:, None] * (w + 0.5)
    error = np.abs(unpack(output) - wanted).max() / np.abs(wanted).max()
    report.say(f"rms_norm_forward {name}", error < UNIT[storage], f"largest error {error:.1e} of the largest value")

    gradient, parts = np.zeros((rows, width), f32), np.zeros((groups, width), f32)
    Kernel(gpu, texts, "rms_norm.cu", "rms_norm_backward", macros).run(
        (groups,), threads,
        {0: cotangent, 1: source, 2: weight, 3: rstd, 4: gradient, 5: parts, 6: u32(rows), 7: u32(width), 8: u64(width), 9: u64(width),
         10: f32(0.5), 11: u32(1), 12: u32(1), 13: u32(1)},
        memory={0: 512},
    )
    m = dy * (w + 0.5)
    wanted = scale[:, None] * (m - x * (scale**2 * (m * x).mean(1))[:, None])
    error = np.abs(gradient - wanted).max() / np.abs(wanted).max()
    report.say(f"rms_norm_backward {name}", error < 1e-5, f"largest error {error:.1e}")
    total = np.zeros(width, f32)
    Kernel(gpu, texts, "column_sums.cu", "column_sums", {**macros, "STORAGE": "float"}).run(
        ((width + 31) // 32,), threads, {0: parts, 1: total, 2: u32(groups), 3: u32(width), 4: u64(width), 5: u64(0)}, memory={0: 512}
    )
    wanted = (dy * x * scale[:, None]).sum(0)
    error = np.abs(total - wanted).max() / np.abs(wanted).max()
    report.say(f"column_sums {name}", error < 1e-5, f"largest error {error:.1e}")


def check_copies(report, gpu, texts):
    u64 = np.uint64
    source = np.random.default_rng(9).integers(-1000, 1000, (7, 33, 65)).astype(np.float32)
    target = np.zeros((65, 33, 7), np.int32)
    kernel = Kernel(gpu, texts, "strided_copy.cu", "strided_copy", {"FROM": "float", "TO": "int", "ROW_THREADS": 128, "METILE_THREADS": 128})
    one = np.ones(4, u64)
    kernel.run((40,), 128, {
        0: source, 1: target, 2: u64(source.size), 3: one, 4: np.array([1, 65, 33, 7], u64),
        5: one * 0, 6: np.array([0, 1, 65, 33 * 65], u64), 7: one * 0, 8: np.array([0, 33 * 7, 7, 1], u64),
    })
    report.equal("strided_copy turns and converts", target, source.transpose(2, 1, 0).astype(np.int32))
    words = np.zeros((1000, 4), np.uint32)
    Kernel(gpu, texts, "transfer.cu", "fill_16", {"ROW_THREADS": 64, "METILE_THREADS": 64}).run((3,), 64, {1: words, 2: u64(1000), 3: np.uint32(7)})
    report.equal("fill_16", words, np.full((1000, 4), 7, np.uint32))


def check_kernels(report, gpu, texts):
    for storage in STORE:
        pack = 4 if storage == "float" else 8
        check_rows(report, gpu, texts, storage, 100, 2048, {"ROW_PACKETS": 4096 // 256 // pack, "ROW_PACK": pack})
        check_rows(report, gpu, texts, storage, 3, 1000, {"ROW_PACKETS": 1, "ROW_PACK": 8, "ROW_THREADS": 128, "METILE_THREADS": 128, "ROW_KEEP": 0})
        check_rows(report, gpu, texts, storage, 50, 777, {"ROW_PACKETS": 1, "ROW_PACK": 1, "ROW_WIDE": 1, "ROW_PREFETCH": 0})
    check_copies(report, gpu, texts)
