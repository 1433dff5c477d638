"""Every variant of every text through NVRTC, on all cores."""
import multiprocessing
import os
import time

from driver import Texts, compile_text

REGISTERS, LOCAL_BYTES = 4, 3


def compile_one(job):
    folder, file, macros, architecture = job
    start = time.perf_counter()
    result = compile_text(Texts(folder).read(file), file, macros, architecture)
    return result, time.perf_counter() - start


def check_variants(folder, architecture, every):
    """Compiles before any GPU is opened in this process, for it forks. Gives jobs and what came of each."""
    texts = Texts(folder)
    jobs = [
        (folder, file, macros, architecture)
        for file, text in texts.all.items()
        for macros in text["variants"][::every]
    ]
    start = time.perf_counter()
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        results = pool.map(compile_one, jobs, chunksize=2)
    return texts, jobs, results, time.perf_counter() - start


def report_variants(report, gpu, texts, jobs, results, seconds):
    counts, spilled, most = {}, [], {}
    for (_, file, macros, _), (result, _) in zip(jobs, results):
        if isinstance(result, str):
            report.say(f"compile {file} {macros}", False, result[:2000])
            continue
        counts[file] = counts.get(file, 0) + 1
        module = gpu.load(result)
        for kernel in texts.all[file]["kernels"]:
            function = gpu.function(module, kernel["name"])
            registers, local = gpu.attribute(function, REGISTERS), gpu.attribute(function, LOCAL_BYTES)
            most[kernel["name"]] = max(most.get(kernel["name"], 0), registers)
            if local:
                spilled.append((local, kernel["name"], macros))
        gpu.unload(module)
    for file, count in counts.items():
        report.say(f"compile {file}", count > 0, f"{count} variants")
    times = sorted(time for _, time in results)
    print(f"     {len(jobs)} compiles in {seconds:.0f} s; one takes {times[len(times) // 2]:.3f} s (median), {times[-1]:.3f} s at most")
    print("     most registers: " + ", ".join(f"{name} {count}" for name, count in sorted(most.items())))
    spilled.sort(key=lambda entry: -entry[0])
    print(f"     kernels with local memory: {len(spilled)}")
    for local, name, macros in spilled[:12]:
        print(f"       {local} bytes: {name} {macros}")
