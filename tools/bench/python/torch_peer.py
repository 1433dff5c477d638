"""PyTorch eager as a peer of the bench: reads one JSON object a line and answers each with one.

hello   {threads}                                              -> {version, threads}
prepare {operation, pass, dtype, rows, columns, sets, epsilon} -> {}
run     {}                                                     -> {milliseconds}
release {}                                                     -> {}
An answer with "error" says what went wrong; the next request is served all the same.
"""

import gc
import json
import signal
import sys
import time

# The bench decides when to end: Ctrl-C reaches the whole group of processes, and an answer may be under way.
signal.signal(signal.SIGINT, signal.SIG_IGN)

try:
    import torch
except ImportError as error:
    print(json.dumps({"error": str(error)}), flush=True)
    sys.exit(3)


def rms_norm(source, weight, epsilon):
    """Hugging Face's LlamaRMSNorm."""
    wide = source.to(torch.float32)
    variance = wide.pow(2).mean(-1, keepdim=True)
    wide = wide * torch.rsqrt(variance + epsilon)
    return weight * wide.to(source.dtype)


def layer_norm(source, weight, bias, epsilon):
    return torch.nn.functional.layer_norm(source, (source.shape[-1],), weight, bias, epsilon)


def add_rms_norm(source, residual, weight, epsilon):
    """What a decoder layer of Hugging Face does between its blocks."""
    total = source + residual
    return rms_norm(total, weight, epsilon), total


# The function, its inputs of (rows, columns), its parameters of (columns).
OPERATIONS = {
    "rmsNorm": (rms_norm, 1, 1),
    "layerNorm": (layer_norm, 1, 2),
    "addRmsNorm": (add_rms_norm, 2, 1),
}


class Case:
    """Sets of inputs that are taken in turn, and for a backward pass the graph over each of them."""

    def __init__(self, request):
        function, wide, parameters = OPERATIONS[request["operation"]]
        dtype = getattr(torch, request["dtype"])
        rows, columns = request["rows"], request["columns"]
        self.function, self.epsilon = function, request["epsilon"]
        self.backward = request["pass"] == "backward"
        self.both = request["pass"] == "forward+backward"
        self.turn = 0
        self.sets = []
        for _ in range(request["sets"]):
            inputs = [torch.randn(rows, columns).to(dtype).requires_grad_() for _ in range(wide)]
            inputs += [(1 + 0.1 * torch.randn(columns)).to(dtype).requires_grad_() for _ in range(parameters)]
            outputs, cotangents = None, None
            if self.backward or self.both:
                outputs = self.forward(inputs)
                cotangents = [torch.randn(rows, columns).to(dtype) for _ in outputs]
                outputs = outputs if self.backward else None
            self.sets.append((inputs, outputs, cotangents))
        self.run()  # what cannot run says so here

    def forward(self, inputs):
        outputs = self.function(*inputs, self.epsilon)
        return outputs if isinstance(outputs, tuple) else (outputs,)

    def run(self):
        """Runs once; results are freed after the clock has stopped, and their memory is for the next run."""
        inputs, outputs, cotangents = self.sets[self.turn % len(self.sets)]
        self.turn += 1
        begin = time.perf_counter()
        if self.backward:
            results = torch.autograd.grad(outputs, inputs, cotangents, retain_graph=True)
        elif self.both:
            results = torch.autograd.grad(self.forward(inputs), inputs, cotangents)
        else:
            results = self.forward(inputs)
        seconds = time.perf_counter() - begin
        del results
        return seconds * 1e3


def main():
    case = None
    gc.disable()
    for line in sys.stdin:
        request = json.loads(line)
        command = request["command"]
        answer = {}
        try:
            if command == "hello":
                torch.set_num_threads(request["threads"])
                answer = {"version": torch.__version__, "threads": torch.get_num_threads()}
            elif command == "prepare":
                case = None  # frees the one before, and leaves none behind when this one cannot be made
                case = Case(request)
            elif command == "run":
                answer = {"milliseconds": case.run()}
            elif command == "release":
                case = None
                gc.collect()
        except (RuntimeError, KeyError, NotImplementedError, AttributeError) as error:
            answer = {"error": f"{type(error).__name__}: {error}".splitlines()[0]}
        print(json.dumps(answer), flush=True)


main()
