"""Functions of simdgroups in whole ones and where the last has fewer threads, by a model of each."""
import numpy as np
from driver import Kernel

RESULTS = 24


def model(x, u):
    """What the threads of one simdgroup learn: floats and whole numbers, a row a thread. None: not defined."""
    n = len(x)
    f, w = np.full((n, RESULTS), np.nan, np.float32), np.zeros((n, RESULTS), np.uint32)
    lanes = np.arange(n)
    defined = np.ones((n, RESULTS), bool)
    f[:, 0], f[:, 1], f[:, 2] = x.sum(), x.max(), x.min()
    f[:, 3] = 2.0 ** np.count_nonzero(x > 0)
    f[:, 4] = np.cumsum(x)
    f[:, 5] = np.cumsum(x) - x
    f[:, 6] = x[min(1, n - 1)]
    f[:, 7] = x[0]

    def from_lane(column, source, values=x):
        inside = (source >= 0) & (source < n)
        f[:, column] = np.where(inside, values[np.clip(source, 0, n - 1)], 0)
        defined[:, column] = inside

    from_lane(8, lanes ^ 1)
    from_lane(9, lanes - 3)
    from_lane(10, lanes + 2)
    from_lane(11, lanes // 2)
    from_lane(12, (lanes - 1) % n)
    from_lane(13, (lanes + 5) % n)
    defined[:, 6] = n > 1
    f[:, 14], f[:, 15] = x.sum(), x.max()
    from_lane(16, np.full(n, 2), x + 1)
    whole = np.zeros((n + 3) // 4 * 4)
    whole[:n] = x
    f[:, 17] = np.repeat(whole.reshape(-1, 4).sum(1), 4)[:n]
    defined[:, 17] = lanes // 4 * 4 + 4 <= n
    signed = u.view(np.int32)
    w[:, 0] = np.uint32(int(u.sum(dtype=np.uint64)) % 2**32)
    w[:, 1], w[:, 2] = u.max(), u.min()
    w[:, 3], w[:, 4], w[:, 5] = np.bitwise_and.reduce(u), np.bitwise_or.reduce(u), np.bitwise_xor.reduce(u)
    w[:, 6] = w[:, 0]
    w[:, 7], w[:, 8] = np.int32(signed.max()).view(np.uint32), np.int32(signed.min()).view(np.uint32)
    w[:, 9] = np.uint32(sum(1 << int(i) for i in lanes if u[i] & 1))
    w[:, 10], w[:, 11] = np.all(u != 1), np.any(u == 1)
    w[:, 12] = lanes == 0
    w[:, 13] = u[min(1, n - 1)]
    w[:, 14] = np.concatenate([[0], np.cumsum(u.astype(np.uint64))[:-1]]).astype(np.uint64) % 2**32
    w[:, 15] = lanes
    w[:, 18] = (u & 15).sum()
    w[:, 19] = 1
    whole_defined = np.ones((n, RESULTS), bool)
    whole_defined[:, 13] = n > 1
    return f, w, defined, whole_defined


def check_simdgroups(report, gpu, texts):
    random = np.random.default_rng(6)
    for threads in (32, 256, 1024, 1, 7, 40, 100):
        x = random.integers(-8, 9, threads).astype(np.float32)
        u = random.integers(0, 2**32, threads, dtype=np.uint64).astype(np.uint32)
        u[threads // 2] = 1
        f, w = np.zeros((threads, RESULTS), np.float32), np.zeros((threads, RESULTS), np.uint32)
        kernel = Kernel(gpu, texts, "simdgroups.cu", "simdgroups", {"METILE_THREADS": threads})
        kernel.run((1,), threads, {0: x, 1: u, 2: f, 3: w})
        groups = (threads + 31) // 32
        models = [model(x[g * 32 : g * 32 + 32], u[g * 32 : g * 32 + 32]) for g in range(groups)]
        wanted_f, wanted_w, defined, whole_defined = (np.concatenate(part) for part in zip(*models))
        wanted_w[:, 16], wanted_w[:, 17] = np.arange(threads) // 32, groups
        wrong = [c for c in range(18) if not np.array_equal(f[:, c][defined[:, c]], wanted_f[:, c][defined[:, c]])]
        wrong += [f"w{c}" for c in range(20) if not np.array_equal(w[:, c][whole_defined[:, c]], wanted_w[:, c][whole_defined[:, c]])]
        report.say(f"simdgroups of {threads} threads", not wrong, f"wrong columns: {wrong}" if wrong else "38 functions")
