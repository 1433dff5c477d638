"""PyTorch on an NVIDIA GPU as peers of the bench: reads one JSON object a line and answers each with one.

hello   {}                                                     -> {versions, absent, gpu}
prepare {operation, pass, dtype, rows, columns, sets, epsilon} -> {}
warm    {variant}                                              -> {peakBytes, seconds}
run     {variant, calls}                                       -> {milliseconds}, of a call
host    {variant, operation, dtype, calls, samples, epsilon}   -> {microseconds: […]}
release {}                                                     -> {}
An answer with "error" says what went wrong; the next request is served all the same.
"""

import gc
import json
import os
import signal
import sys
import time

# The bench decides when to end: Ctrl-C reaches the whole group of processes, and an answer may be under way.
signal.signal(signal.SIGINT, signal.SIG_IGN)

# Compilers print what they like: answers have a file of their own.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

try:
    import torch

    if not torch.cuda.is_available():
        raise ImportError("this PyTorch sees no NVIDIA GPU")
    import torch._dynamo
    from cuda_operations import OPERATIONS, Variants
except ImportError as error:
    print(json.dumps({"error": str(error)}), file=answers, flush=True)
    sys.exit(3)

# One compiled function an operation serves all of a run's shapes and types.
for limit in ("recompile_limit", "cache_size_limit"):
    if hasattr(torch._dynamo.config, limit):
        setattr(torch._dynamo.config, limit, 256)

CYCLES = 20_000_000  # of the sleep that tells how long a cycle takes


def measured(queue):
    """Milliseconds of the GPU between the begin and the end of what is queued."""
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    queue()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end)


class Case:
    """Sets of inputs that are taken in turn by every variant."""

    def __init__(self, request, sets=None):
        _, wide, parameters, outputs = OPERATIONS[request["operation"]]
        if request["pass"] not in ("forward", "forward+backward"):
            raise NotImplementedError(f'{request["pass"]} alone is not measured on a GPU')
        dtype = getattr(torch, request["dtype"])
        rows, columns = request["rows"], request["columns"]
        make = {"device": "cuda", "dtype": torch.float32}
        self.operation, self.epsilon = request["operation"], request["epsilon"]
        self.both = request["pass"] == "forward+backward"
        self.turn = 0
        self.sets = []
        for _ in range(sets or request["sets"]):
            inputs = [torch.randn(rows, columns, **make).to(dtype).requires_grad_() for _ in range(wide)]
            inputs += [(1 + 0.1 * torch.randn(columns, **make)).to(dtype).requires_grad_() for _ in range(parameters)]
            cotangents = [torch.randn(rows, columns, **make).to(dtype) for _ in range(outputs)] if self.both else []
            self.sets.append((inputs, cotangents))
        # Some kernels write gradients over what they are given; it is put back before every sample.
        self.kept = [cotangent.clone() for cotangent in self.sets[0][1]]
        self.restore()
        torch.cuda.synchronize()
        torch.cuda.empty_cache()

    def restore(self):
        for _, cotangents in self.sets:
            for cotangent, kept in zip(cotangents, self.kept):
                cotangent.copy_(kept)

    def call(self, function):
        inputs, cotangents = self.sets[self.turn % len(self.sets)]
        self.turn += 1
        outputs = function(*inputs, self.epsilon)
        if not isinstance(outputs, tuple):
            outputs = (outputs,)
        return torch.autograd.grad(outputs, inputs, cotangents) if self.both else outputs


class Peers:
    def __init__(self):
        self.variants = Variants()
        self.case = None
        self.host_seconds = {}  # of one call, by variant: how long the queue has to be kept waiting
        torch.cuda._sleep(CYCLES)
        self.cycles_a_second = CYCLES / (measured(lambda: torch.cuda._sleep(CYCLES)) * 1e-3)

    def hello(self, _):
        return {
            "versions": self.variants.versions(),
            "absent": self.variants.absent,
            "gpu": torch.cuda.get_device_name(),
        }

    def prepare(self, request):
        self.case = None  # frees the one before, and leaves none behind when this one cannot be made
        self.case = Case(request)
        return {}

    def warm(self, request):
        """Compiles, tells the memory of one call, and how long the host takes for one."""
        case, variant = self.case, request["variant"]
        function = self.variants.find(case.operation, variant)
        begin = time.perf_counter()
        for _ in range(2):
            case.call(function)
        torch.cuda.synchronize()
        seconds = time.perf_counter() - begin
        torch.cuda.reset_peak_memory_stats()
        held = torch.cuda.memory_allocated()
        case.call(function)
        torch.cuda.synchronize()
        peak = torch.cuda.max_memory_allocated() - held
        torch.cuda._sleep(int(self.cycles_a_second * 0.05))
        begin = time.perf_counter()
        for _ in range(8):
            case.call(function)
        self.host_seconds[variant] = (time.perf_counter() - begin) / 8
        torch.cuda.synchronize()
        return {"peakBytes": peak, "seconds": seconds}

    def run(self, request):
        """GPU time of so many calls, queued while the GPU sleeps, so that the host's time does not show."""
        case, variant, calls = self.case, request["variant"], request["calls"]
        function = self.variants.find(case.operation, variant)
        case.restore()
        wait = min(0.2, 1.5 * calls * self.host_seconds[variant] + 1e-3)
        torch.cuda.synchronize()
        torch.cuda._sleep(int(wait * self.cycles_a_second))

        def queue():
            for _ in range(calls):
                case.call(function)  # results go at once, and their memory is for the next call

        return {"milliseconds": measured(queue) / calls}

    def host(self, request):
        """Wall time of calls at 8 × 1024, without waiting for the GPU."""
        small = Case({**request, "pass": "forward+backward", "rows": 8, "columns": 1024}, sets=1)
        function = self.variants.find(small.operation, request["variant"])
        calls, samples = request["calls"], []
        for sample in range(-5, request["samples"]):
            begin = time.perf_counter()
            for _ in range(calls):
                small.call(function)
            seconds = time.perf_counter() - begin
            torch.cuda.synchronize()
            small.restore()
            if sample >= 0:
                samples.append(seconds / calls * 1e6)
        return {"microseconds": samples}

    def release(self, _):
        self.case = None
        gc.collect()
        torch.cuda.empty_cache()
        return {}


def main():
    peers = Peers()
    gc.disable()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(peers, request["command"])(request)
        except Exception as error:  # compilers raise what they like
            answer = {"error": (f"{type(error).__name__}: {error}".splitlines() or ["?"])[0]}
        print(json.dumps(answer), file=answers, flush=True)


main()
