"""Checks the CUDA texts on a machine with an NVIDIA GPU: every variant compiles, and the prelude computes what Metal means.

usage: python3 check.py FOLDER [--architecture sm_90] [--every N] [--skip-variants]
FOLDER is what `metile-msl cuda` wrote: texts and texts.json, self tests among them. Needs libcuda, NVRTC (METILE_CUDA and
METILE_NVRTC name them where they are not found) and numpy.
"""
import argparse
import sys

from conversions import check_conversions
from driver import Gpu, Texts
from kernels import check_kernels
from mathematics import check_mathematics
from memory import check_memory
from positions import check_positions
from report import Report
from simdgroups import check_simdgroups
from variants import check_variants, report_variants

SELF_TESTS = [check_conversions, check_mathematics, check_simdgroups, check_memory, check_positions, check_kernels]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--architecture", default="sm_90")
    parser.add_argument("--every", type=int, default=1, help="compile every n-th variant alone")
    parser.add_argument("--skip-variants", action="store_true")
    words = parser.parse_args()
    compiled = None if words.skip_variants else check_variants(words.folder, words.architecture, words.every)
    report, gpu, texts = Report(), Gpu(), Texts(words.folder)
    print(f"     {gpu.architecture}")
    for check in SELF_TESTS:
        try:
            check(report, gpu, texts)
        except RuntimeError as error:
            report.say(check.__name__, False, str(error))
    if compiled is not None:
        report_variants(report, gpu, *compiled)
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
