import { dtypeInfo } from "../dtype/dtype.js";
import type { RowOperand } from "./launch.js";

/** Bytes that a GPU's thread moves at once. */
const widest = 16;

/**
 * Elements a packet: the largest power of two that divides the width and every stride, at most 16 bytes of the narrowest
 * type, for which every base is aligned to what is moved at once (min(16, pack · element size) bytes). Storages begin
 * aligned to 16 bytes or more. What row.h asks of ROW_PACK.
 */
export function packOf(columns: number, operands: readonly RowOperand[]): number {
  let pack = 1;
  for (const operand of operands) if (operand) pack = Math.max(pack, widest / dtypeInfo(operand.dtype).bytes);
  while (pack > 1 && columns % pack !== 0) pack /= 2;
  for (const operand of operands) {
    if (!operand) continue;
    const { stride = 0, byteOffset } = operand;
    const { bytes } = dtypeInfo(operand.dtype);
    while (pack > 1 && (stride % pack !== 0 || byteOffset % Math.min(widest, pack * bytes) !== 0)) pack /= 2;
  }
  return pack;
}
