import type { Device } from "../../device/device.js";
import { type Dtype, dtypeInfo, dtypes } from "../../dtype/dtype.js";
import type { KernelReflection, LaunchShape } from "../../kernel/types.js";
import type { GpuLaunch } from "../../kernel/variants.js";
import { elementLaunch, type RowOperand, rowLaunch } from "../../rows/launch.js";

/** Widths of typical rows: one that packets divide, and one that goes element by element in several tiles. */
const widths = [4096, 4097];

const byMetalName = new Map(dtypes.map((name) => [dtypeInfo(name).metal, name]));

/** Contiguous rows of each type, for a launcher that looks at types, strides and addresses alone. */
function operandsOf(device: Device, types: readonly string[], columns: number): RowOperand[] {
  const known = types.map((type) => byMetalName.get(type)).filter((dtype) => dtype !== undefined);
  const all: readonly Dtype[] = known.length === 0 ? ["float32"] : known;
  return all.map((dtype) => ({ storage: { device }, byteOffset: 0, dtype, stride: columns }) as unknown as RowOperand);
}

function asGpuLaunch({ threads = 1, macros = {} }: LaunchShape): GpuLaunch {
  return { threads, macros: Object.fromEntries(Object.entries(macros).map(([name, value]) => [name, String(value)])) };
}

/**
 * Typical launches of a kernel on a GPU: tiles for row kernels, 256 threads for others.
 *
 * @param types - values of the kernel's type macros
 */
export function launchesOf(
  device: Device,
  kernel: KernelReflection,
  types: readonly string[],
  quick: boolean,
): GpuLaunch[] {
  if (!kernel.threadgroup.some(({ name }) => name === "scratch")) return [asGpuLaunch(elementLaunch(device, 4096))];
  const chosen = quick ? widths.slice(0, 1) : widths;
  return chosen.map((columns) => asGpuLaunch(rowLaunch(1, columns, operandsOf(device, types, columns))));
}
