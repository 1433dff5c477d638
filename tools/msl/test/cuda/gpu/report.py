"""What was checked, line by line, and the sum of it."""
import numpy as np


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def say(self, what, good, note=""):
        self.passed += bool(good)
        self.failed += not good
        print(f"{'ok  ' if good else 'FAIL'} {what}{f': {note}' if note else ''}", flush=True)

    def equal(self, what, got, wanted):
        """Equal bits, but that any NaN is as good as another and -0 is not 0."""
        got, wanted = np.asarray(got), np.asarray(wanted)
        if got.dtype.kind == "f":
            words = {2: np.uint16, 4: np.uint32, 8: np.uint64}[got.dtype.itemsize]
            same = (got.view(words) == wanted.astype(got.dtype).view(words)) | (np.isnan(got) & np.isnan(wanted))
        else:
            same = got == wanted
        wrong = np.flatnonzero(~same.ravel())
        note = f"{got.size} values"
        if wrong.size:
            at = wrong[0]
            note = f"{wrong.size} of {got.size} differ, the first at {at}: got {got.ravel()[at]!r}, wanted {wanted.ravel()[at]!r}"
        self.say(what, wrong.size == 0, note)

    def near(self, what, got, exact, units, absolute=0.0):
        """Within units in the last place of the exact value's float (or an absolute distance); specials must agree."""
        exact = np.asarray(exact, np.float64)
        rounded = exact.astype(np.float32)
        special = ~np.isfinite(rounded)
        with np.errstate(all="ignore"):
            spacing = np.spacing(np.abs(np.where(special, np.float32(1), rounded))).astype(np.float64)
            distance = np.abs(got.astype(np.float64) - exact) / spacing
            good = np.where(
                special,
                (np.isnan(got) & np.isnan(rounded)) | (got == rounded) | ~np.isfinite(got) & ~np.isnan(got) & np.isinf(rounded),
                (distance <= units) | (np.abs(got.astype(np.float64) - exact) <= absolute),
            )
            good |= np.isinf(got) & (np.abs(exact) > 3.4028e38) & (np.sign(got) == np.sign(exact))
        wrong = np.flatnonzero(~good)
        most = distance[~special & np.isfinite(distance)].max(initial=0.0)
        note = f"{got.size} values, at most {most:.2f} ulp"
        if wrong.size:
            at = wrong[0]
            note = f"{wrong.size} of {got.size} wrong ({note}), the first at {at}: got {got[at]!r}, exact {exact[at]!r}"
        self.say(what, wrong.size == 0, note)
