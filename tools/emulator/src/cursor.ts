/** Reads little-endian numbers and texts one after the other. */
export class Cursor {
  readonly #view: DataView;
  /** Offset of what comes next. */
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get atEnd(): boolean {
    return this.at >= this.#view.byteLength;
  }

  u8(): number {
    this.at += 1;
    return this.#view.getUint8(this.at - 1);
  }

  i8(): number {
    this.at += 1;
    return this.#view.getInt8(this.at - 1);
  }

  u16(): number {
    this.at += 2;
    return this.#view.getUint16(this.at - 2, true);
  }

  u32(): number {
    this.at += 4;
    return this.#view.getUint32(this.at - 4, true);
  }

  /** @returns a number, exact below 2^53 */
  u64(): number {
    this.at += 8;
    return Number(this.#view.getBigUint64(this.at - 8, true));
  }

  /** A number in groups of 7 bits, as DWARF has it. */
  unsigned(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.u8();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  /** As {@link unsigned}, in two's complement. */
  signed(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.u8();
      value += (byte & 127) * factor;
      if (byte < 128) return byte & 64 ? value - factor * 128 : value;
    }
  }

  /** A text that a zero ends. */
  text(): string {
    let result = "";
    for (let code = this.u8(); code !== 0; code = this.u8()) result += String.fromCharCode(code);
    return result;
  }

  /** The next bytes, to be read on their own. */
  take(bytes: number): Cursor {
    const { buffer, byteOffset } = this.#view;
    const taken = new Cursor(new Uint8Array(buffer, byteOffset + this.at, bytes));
    this.at += bytes;
    return taken;
  }
}
