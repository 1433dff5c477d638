/** Past the caches that the cores of one process usually share, so that inputs come from memory. */
const largestCache = 96 * 2 ** 20;
/** A GPU's: 60 MiB on an H200, several times over, since what is written stays there too. */
const gpuCaches = 240 * 2 ** 20;

/**
 * How many sets of inputs to take in turn, so that together they are larger than the caches: 2 to 16, on a GPU 3 to 16.
 *
 * @param bytes - what one run reads and writes
 */
export function inputSets(bytes: number, gpu = false): number {
  return gpu
    ? Math.min(16, Math.max(3, Math.ceil(gpuCaches / bytes)))
    : Math.min(16, Math.max(2, Math.ceil(largestCache / bytes)));
}
