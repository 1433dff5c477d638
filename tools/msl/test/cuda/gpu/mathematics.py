"""The library's functions against numpy in float64: what must be exact is, the rest within units in the last place."""
import numpy as np
from driver import Kernel

special = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, -np.nan, 1e-45, -1e-45, 1.1754944e-38, 3.4028235e38, -3.4028235e38, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 8388607.5, 1e-39], np.float32)


def floats(low, high):
    random = np.random.default_rng(3)
    signs = random.choice(np.array([-1, 1], np.float32), 200000)
    return np.concatenate([special, random.uniform(low, high, 200000).astype(np.float32), (signs * 2.0 ** random.uniform(-149, 127.9, 200000)).astype(np.float32)])


def away_from_zero(x):
    return np.copysign(np.trunc(x) + np.where(np.abs(x - np.trunc(x)) >= 0.5, np.sign(x), 0), x)


# name, function of a float64, units in the last place (0: exact), range of arguments; the order is math.metal's
WIDE = 1e9
UNARY = [
    ("exp", np.exp, 2, 110), ("exp2", np.exp2, 2, 160), ("exp10", lambda x: 10.0**x, 2, 46), ("log", np.log, 1, WIDE), ("log2", np.log2, 1, WIDE),
    ("log10", np.log10, 2, WIDE), ("sin", np.sin, 2, 1e5), ("cos", np.cos, 2, 1e5), ("tan", np.tan, 4, 1e5), ("asin", np.arcsin, 2, 1),
    ("acos", np.arccos, 2, 1), ("atan", np.arctan, 2, WIDE), ("sinh", np.sinh, 3, 95), ("cosh", np.cosh, 2, 95), ("tanh", np.tanh, 2, 12),
    ("sqrt", np.sqrt, 0, WIDE), ("rsqrt", lambda x: 1 / np.sqrt(x), 0, WIDE), ("floor", np.floor, 0, WIDE), ("ceil", np.ceil, 0, WIDE), ("rint", np.rint, 0, 1e5),
    ("round", away_from_zero, 0, 1e5), ("trunc", np.trunc, 0, WIDE), ("fabs", np.abs, 0, WIDE), ("sign", lambda x: np.where(np.isnan(x), 0, np.where(x == 0, x, np.sign(x))), 0, WIDE),
    ("saturate", lambda x: np.fmin(np.fmax(x, 0.0), 1.0), 0, 3), ("fract", None, 0, 1e5), ("isnan", np.isnan, 0, WIDE), ("isinf", np.isinf, 0, WIDE),
    ("isfinite", np.isfinite, 0, WIDE), ("signbit", np.signbit, 0, WIDE), ("1 / x", lambda x: 1.0 / x, 0, WIDE), ("x * 0.5", lambda x: x * 0.5, 0, WIDE),
    ("fast::exp", np.exp, None, 20), ("fast::exp2", np.exp2, None, 20), ("fast::log", np.log, None, 100), ("fast::tanh", np.tanh, None, 5),
    ("fast::rsqrt", lambda x: 1 / np.sqrt(x), None, 100), ("fast::sin", np.sin, None, 3), ("precise::exp", np.exp, 2, 110), ("-x", np.negative, 0, WIDE),
    ("asinh", np.arcsinh, 3, WIDE), ("acosh", np.arccosh, 4, WIDE), ("atanh", np.arctanh, 3, 1), ("sinpi", lambda x: np.sin(np.pi * np.fmod(x, 2.0)), 2, 50),
    ("cospi", lambda x: np.cos(np.pi * np.fmod(x, 2.0)), 2, 50),
]

BINARY = [
    ("max", np.fmax, 0), ("min", np.fmin, 0), ("fmax", np.fmax, 0), ("fmin", np.fmin, 0), ("pow", None, 4), ("fmod", np.fmod, 0), ("atan2", np.arctan2, 3),
    ("copysign", np.copysign, 0), ("a / b", np.divide, 0), ("a * b + a, rounded twice", None, 0), ("fma", None, 0), ("step", lambda a, b: np.where(b < a, 0.0, 1.0), 0),
    ("clamp", lambda a, b: np.fmin(np.fmax(a, -1.0), 1.0), 0), ("mix", None, 0), ("select", lambda a, b: np.where(a < b, b, a), 0), ("a * b", np.multiply, 0),
    ("a + b", np.add, 0), ("powr", None, 4), ("fdim", None, 0), ("divide", np.divide, 0),
]


def check_unary(report, gpu, texts):
    kernel = Kernel(gpu, texts, "math.cu", "unary", {"METILE_THREADS": 256})
    for which, (name, function, units, limit) in enumerate(UNARY):
        x = floats(-limit, limit)
        if units is None:
            x = np.abs(x[21:200021]) + np.float32(1e-3)  # the unit's functions: within their range
        y = np.empty_like(x)
        kernel.run(((x.size + 255) // 256,), 256, {0: x, 1: y, 2: np.uint32(x.size), 3: np.uint32(which)})
        wide = x.astype(np.float64)
        with np.errstate(all="ignore"):
            if name == "fract":
                wanted = np.minimum((x - np.floor(x)), np.float32(1 - 2**-24))
                report.equal(name, y, wanted.astype(np.float32))
            elif units == 0:
                wanted = np.asarray(function(wide), np.float64).astype(np.float32)
                zero = (y == 0) & (wanted == 0) & (name == "saturate")  # of -0 and 0 either is the greater
                report.equal(name, np.where(zero, wanted, y), wanted)
            elif units is None:
                report.near(name, y, function(wide), 2**13, 2e-3)
            elif name in ("sinpi", "cospi"):
                near = np.abs(wide) < 1e6
                report.near(name, y[near], function(wide[near]), units + 0.5, 1e-6)
            else:
                report.near(name, y, function(wide), units + 0.5)


def check_binary(report, gpu, texts):
    kernel = Kernel(gpu, texts, "math.cu", "binary", {"METILE_THREADS": 256})
    random = np.random.default_rng(4)
    a, b = (np.concatenate([grid.ravel(), random.uniform(-8, 8, 200000).astype(np.float32)]) for grid in np.meshgrid(special, special))
    for which, (name, function, units) in enumerate(BINARY):
        x, z = (np.abs(a), b) if name == "powr" else (a, b)
        y = np.empty_like(x)
        kernel.run(((x.size + 255) // 256,), 256, {0: x, 1: z, 2: y, 3: np.uint32(x.size), 4: np.uint32(which)})
        wide_x, wide_z = x.astype(np.float64), z.astype(np.float64)
        usual = slice(special.size**2, None)
        with np.errstate(all="ignore"):
            if name.startswith("a * b + a"):
                report.equal(name, y, (x * z) + x)
            elif name == "fma":  # products of floats are exact in float64; a double rounding is 1 in 2^29
                report.near(name, y[usual], (wide_x * wide_z + wide_x)[usual], 0.500001)
            elif name == "mix":
                report.equal(name, y, x + (z - x) * np.float32(0.25))
            elif name in ("pow", "powr"):
                positive = usual if name == "powr" else x > 0
                report.near(name, y[positive], np.power(wide_x[positive], wide_z[positive]), units + 0.5)
                if name == "pow":
                    report.equal("pow of specials", np.isnan(y), np.isnan(np.power(wide_x, wide_z)))
            elif name == "fdim":
                report.equal(name, y, np.where(np.isnan(x) | np.isnan(z), np.float32(np.nan), np.where(x > z, x - z, np.float32(0))))
            elif name in ("max", "min", "fmax", "fmin"):  # of zeros either may come
                report.equal(name, np.where(y == 0, 0, y), np.where(function(x, z) == 0, 0, function(x, z)).astype(np.float32))
            elif name == "clamp":
                report.equal(name, y, function(x, z).astype(np.float32))
            elif units == 0:
                report.equal(name, y, np.asarray(function(wide_x, wide_z), np.float64).astype(np.float32))
            else:
                report.near(name, y, function(wide_x, wide_z), units + 0.5)


def check_integers(report, gpu, texts):
    kernel = Kernel(gpu, texts, "math.cu", "integers", {"METILE_THREADS": 256})
    random = np.random.default_rng(5)
    a, b = (np.concatenate([np.array([0, 1, 2, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFF, 31, 32], np.uint32), random.integers(0, 2**32, 20000, dtype=np.uint64).astype(np.uint32) >> random.integers(0, 32, 20000).astype(np.uint32)]) for _ in range(2))
    b[:8] = b[:8][::-1]
    A, B = [int(v) for v in a], [int(v) for v in b]
    signed = lambda v: v - 2**32 if v >= 2**31 else v
    functions = {
        "max": max, "min": min, "max of ints": lambda x, y: max(signed(x), signed(y)), "min of ints": lambda x, y: min(signed(x), signed(y)),
        "popcount": lambda x, y: x.bit_count(), "clz": lambda x, y: 32 - x.bit_length(), "ctz": lambda x, y: (x & -x).bit_length() - 1 if x else 32,
        "reverse_bits": lambda x, y: int(f"{x:032b}"[::-1], 2), "mulhi": lambda x, y: x * y >> 32, "abs": lambda x, y: abs(signed(x)), "absdiff": lambda x, y: abs(x - y),
        "rotate": lambda x, y: x << (y % 32) | x >> (32 - y % 32) if y % 32 else x, "clamp": lambda x, y: min(max(x, 5), 500), "hadd": lambda x, y: (x + y) >> 1,
        "addsat": lambda x, y: min(x + y, 2**32 - 1), "subsat": lambda x, y: max(x - y, 0), "mulhi of ints": lambda x, y: signed(x) * signed(y) >> 32,
    }
    for which, (name, function) in enumerate(functions.items()):
        y = np.empty_like(a)
        kernel.run(((a.size + 255) // 256,), 256, {0: a, 1: b, 2: y, 3: np.uint32(a.size), 4: np.uint32(which)})
        report.equal(f"{name} (whole numbers)", y, np.array([function(x, z) % 2**32 for x, z in zip(A, B)], np.uint64).astype(np.uint32))


def check_mathematics(report, gpu, texts):
    check_unary(report, gpu, texts)
    check_binary(report, gpu, texts)
    check_integers(report, gpu, texts)
