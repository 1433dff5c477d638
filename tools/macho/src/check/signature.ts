import { type MachOImage, rangeOf } from "../file/image.js";
import { readSignature } from "../file/signature.js";

/** The ad-hoc signature, without which the kernel ends the process at the first instruction. */
export function checkSignature(file: Buffer, image: MachOImage): string[] {
  if (image.signature === null) return ["it is not signed"];
  const faults: string[] = [];
  const { adHoc, codeBytes, changedPages, text, pages } = readSignature(file, rangeOf(file, image.signature));
  const { offset, bytes } = image.signature;
  if (offset % 16 !== 0) faults.push("the signature does not begin at a multiple of 16");
  if (offset + bytes !== file.length) faults.push("something follows the signature");
  if (codeBytes !== offset) faults.push(`the signature covers ${codeBytes} of ${offset} bytes`);
  if (!adHoc) faults.push("the signature is not ad hoc");
  if (changedPages.length > 0) {
    faults.push(`${changedPages.length} of ${pages} pages are not those that were signed: ${changedPages.join(", ")}`);
  }
  const code = image.segments.find(({ name }) => name === "__TEXT");
  if (code === undefined || text.offset !== code.fileOffset || text.bytes !== code.fileBytes) {
    faults.push("the signature names another part as code");
  }
  return faults;
}
