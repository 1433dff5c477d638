"""Where threads are, in grids launched whole and in parts; vectors."""
import numpy as np
from driver import Kernel


def check_positions(report, gpu, texts):
    threads, groups = 96, 10
    kernel = Kernel(gpu, texts, "positions.cu", "positions", {"METILE_THREADS": threads})
    target = np.zeros((threads * groups, 8), np.uint32)
    kernel.run((6,), threads, {0: target}, first=(0, 0, 0), whole=(groups, 1, 1))
    kernel.run((4,), threads, {0: target}, first=(6, 0, 0), whole=(groups, 1, 1))
    p = np.arange(threads * groups)
    ones = np.ones_like(p)
    wanted = np.stack([p, p // threads, groups * ones, p % threads, threads * ones, p % threads, threads * groups * ones, 32 * ones], 1)
    report.equal("positions in a grid of two parts", target, wanted.astype(np.uint32))

    kernel = Kernel(gpu, texts, "positions.cu", "positions_3d", {"METILE_THREADS": threads})
    size = (3, 4, 5)
    target = np.zeros((threads * 60, 8), np.uint32)
    for z in (0, 2):  # z 0 and 1, then 2 to 4
        kernel.run((3, 4, 2 if z == 0 else 3), threads, {0: target}, first=(0, 0, z), whole=size)
    number, tid = np.divmod(np.arange(threads * 60), threads)
    x, y, z = number % 3, number // 3 % 4, number // 12
    ones = np.ones_like(x)
    wanted = np.stack([x, y, z, 30405 * ones, x * threads + tid, y, tid, ones], 1)
    report.equal("positions in a grid of three dimensions", target, wanted.astype(np.uint32))

    a, b = np.array([1.5, -2, 3, 4], np.float32), np.array([2, 2, -3, 8], np.float32)
    target = np.zeros((8, 4), np.float32)
    Kernel(gpu, texts, "positions.cu", "vectors", {}).run((1,), 1, {0: target, 1: np.stack([a, b])})
    unsigned = (np.maximum(a, 0).astype(np.uint32) << 1).astype(np.float32)
    target[4, 1] = unsigned[1]  # of a negative float there is no uint
    wanted = [
        a + b * 2, [a[0], b[1], a[2], b[3]], np.where(a < b, b, a), np.maximum(a, b), unsigned,
        [a @ b, 1, 1, 5], -np.array([a[0], a[1], 9, a[3]]) * 2, [a[0] + 1, a[1] + 1, a[2] + 1, b[3]],
    ]
    report.equal("vectors", target, np.array(wanted, np.float32))
