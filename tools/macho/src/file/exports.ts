import { Cursor } from "./text.js";

/** A symbol that others can look up. */
export interface Export {
  readonly name: string;
  /** 0: a plain symbol. Weak definitions and symbols of other libraries have bits here. */
  readonly flags: number;
  readonly address: number;
}

/** Reads the prefix tree of exported symbols. @throws RangeError when it leads out of itself or in circles */
export function readExports(tree: Buffer): Export[] {
  const found: Export[] = [];
  const visited = new Set<number>();
  const visit = (offset: number, prefix: string) => {
    if (visited.has(offset)) throw new RangeError("the tree of exports runs in circles");
    visited.add(offset);
    const cursor = new Cursor(tree, offset);
    const terminal = cursor.unsigned();
    if (terminal > 0) {
      const start = new Cursor(cursor.table, cursor.offset);
      found.push({ name: prefix, flags: start.unsigned(), address: start.unsigned() });
      cursor.offset += terminal;
    }
    for (let edges = cursor.byte(); edges > 0; edges--) {
      const label = cursor.text();
      visit(cursor.unsigned(), prefix + label);
    }
  };
  if (tree.length > 0) visit(0, "");
  return found;
}
