"""Conversions of 16-bit floats against numpy: all halves and bfloats, and floats at, between and around them."""
import numpy as np
from driver import Kernel

ALL = np.arange(65536, dtype=np.uint32)


def round_to_bfloat(values):
    bits = values.view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(values), np.uint16(0x7FFF), rounded)


def widen_bfloat(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def hard_floats(widen):
    """All 16-bit floats, the middles between neighbours, what lies next to both, and 2^20 floats of random bits."""
    exact = widen(ALL.astype(np.uint16)).astype(np.float32)
    finite = np.sort(exact[np.isfinite(exact)])
    middles = ((finite[:-1].astype(np.float64) + finite[1:]) / 2).astype(np.float32)
    nearby = np.concatenate([np.nextafter(middles, np.float32(s)) for s in (-np.inf, np.inf)])
    random = np.random.default_rng(1).integers(0, 2**32, 2**20, dtype=np.uint64).astype(np.uint32).view(np.float32)
    edges = np.array([65504, 65519.996, 65520, 3.4028235e38, 3.3961775e38, 1e-45, -1e-45, -0.0, np.inf, -np.inf, np.nan, -np.nan], np.float32)
    return np.concatenate([exact, middles, nearby, random, edges])


def same_small(report, what, got, wanted, is_nan):
    """Equal bits; a NaN may have any payload."""
    nan = {"half": (got & 0x7FFF) > 0x7C00, "bfloat": (got & 0x7FFF) > 0x7F80}["bfloat" if "bfloat" in what else "half"]
    report.equal(what, np.where(nan & is_nan, 0, got), np.where(nan & is_nan, 0, wanted))


def check_conversions(report, gpu, texts):
    def convert(name, source, target, count):
        kernel = Kernel(gpu, texts, "conversions.cu", name, {"METILE_THREADS": 256})
        kernel.run(((count + 255) // 256,), 256, {0: source, 1: target, 2: np.uint32(count)})
        return target

    halves = ALL.astype(np.uint16)
    report.equal("half to float", convert("half_to_float", halves, np.empty(65536, np.float32), 65536), halves.view(np.float16).astype(np.float32))
    report.equal("bfloat to float", convert("bfloat_to_float", halves, np.empty(65536, np.float32), 65536), widen_bfloat(halves))
    pairs = ALL | (ALL[::-1] << 16)
    got = convert("halves_to_floats", pairs, np.empty((65536, 2), np.float32), 65536)
    report.equal("half2 to float2", got.ravel(), pairs.view(np.uint16).view(np.float16).astype(np.float32))

    with np.errstate(over="ignore"):
        for kind, widen, narrow in (
            ("half", lambda bits: bits.view(np.float16), lambda x: x.astype(np.float16).view(np.uint16)),
            ("bfloat", widen_bfloat, round_to_bfloat),
        ):
            floats = hard_floats(widen)
            floats = floats[: floats.size // 2 * 2]
            wanted = narrow(floats)
            got = convert(f"float_to_{kind}", floats, np.empty(floats.size, np.uint16), floats.size)
            same_small(report, f"float to {kind}", got, wanted, np.isnan(floats))
            plural = {"half": "halves", "bfloat": "bfloats"}[kind]
            got = convert(f"floats_to_{plural}", floats, np.empty(floats.size // 2, np.uint32), floats.size // 2)
            same_small(report, f"float2 to {kind}2", got.view(np.uint16), wanted, np.isnan(floats))

        whole = np.random.default_rng(2).integers(0, 2**32, 2**20, dtype=np.uint64).astype(np.uint32) >> np.arange(2**20, dtype=np.uint32) % 32
        # float64 holds them; its middle towards bfloat is seen by an odd float32 in between
        exact = whole.astype(np.float64)
        toward = exact.astype(np.float32)
        odd = np.where((toward.astype(np.float64) != exact) & (toward.view(np.uint32) & 1 == 0),
                       np.where(toward.astype(np.float64) < exact, toward.view(np.uint32) + 1, toward.view(np.uint32) - 1),
                       toward.view(np.uint32)).astype(np.uint32).view(np.float32)
        report.equal("uint to bfloat", convert("uint_to_bfloat", whole, np.empty(whole.size, np.uint16), whole.size), round_to_bfloat(odd))
        signed = whole.view(np.int32)
        report.equal("int to half", convert("int_to_half", signed, np.empty(signed.size, np.uint16), signed.size), signed.astype(np.float64).astype(np.float16).view(np.uint16))
