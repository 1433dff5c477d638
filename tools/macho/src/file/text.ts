/** Text that ends with a zero, or after a number of bytes. */
export function textAt(bytes: Buffer, offset: number, longest = bytes.length - offset): string {
  const end = bytes.indexOf(0, offset);
  const last = end < 0 || end > offset + longest ? offset + longest : end;
  return bytes.toString("latin1", offset, last);
}

/** Reads the numbers and names of dyld's tables one after another. */
export class Cursor {
  constructor(
    readonly table: Buffer,
    public offset = 0,
  ) {}

  get done(): boolean {
    return this.offset >= this.table.length;
  }

  byte(): number {
    return this.table.readUInt8(this.offset++);
  }

  /** A number of 64 bits; those from 2^63 up are steps backwards, and come out negative. */
  unsigned(): number {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(BigInt.asIntN(64, value));
    }
  }

  /** Reads over a signed number, which nothing here needs. */
  skipSigned(): void {
    while (this.byte() >= 128);
  }

  text(): string {
    const text = textAt(this.table, this.offset);
    this.offset += text.length + 1;
    return text;
  }
}
