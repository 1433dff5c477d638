import { Cursor } from "./text.js";

/** A word that dyld fills with the address of a symbol of another library. */
export interface Bind {
  readonly name: string;
  /** 1 and up: a library of the load commands. -2: whatever the process has loaded. */
  readonly library: number;
  /** The image loads without the symbol. */
  readonly optional: boolean;
  readonly segment: number;
  readonly offset: number;
}

/** Reads a table of binds. In the lazy one an end only separates. @throws RangeError for codes that do not exist */
export function readBinds(table: Buffer, lazy: boolean): Bind[] {
  const cursor = new Cursor(table);
  const binds: Bind[] = [];
  const state = { name: "", library: 0, optional: false, segment: 0, offset: 0 };
  const bind = (skip: number) => {
    binds.push({ ...state });
    state.offset += 8 + skip;
  };
  while (!cursor.done) {
    const code = cursor.byte();
    const immediate = code & 15;
    switch (code >> 4) {
      case 0:
        if (!lazy) return binds;
        break;
      case 1:
        state.library = immediate;
        break;
      case 2:
        state.library = cursor.unsigned();
        break;
      case 3:
        state.library = immediate === 0 ? 0 : immediate - 16;
        break;
      case 4:
        state.optional = (immediate & 1) !== 0;
        state.name = cursor.text();
        break;
      case 5:
        break; // type: pointers
      case 6:
        cursor.skipSigned();
        break;
      case 7:
        state.segment = immediate;
        state.offset = cursor.unsigned();
        break;
      case 8:
        state.offset += cursor.unsigned();
        break;
      case 9:
        bind(0);
        break;
      case 10:
        bind(cursor.unsigned());
        break;
      case 11:
        bind(immediate * 8);
        break;
      case 12: {
        const count = cursor.unsigned();
        const skip = cursor.unsigned();
        for (let index = 0; index < count; index++) bind(skip);
        break;
      }
      default:
        throw new RangeError(`unknown code 0x${code.toString(16)} among the binds`);
    }
  }
  return binds;
}
