/** An exported symbol: its name and its distance from the start of the image. */
export interface ExportedSymbol {
  readonly name: string;
  readonly address: number;
}

interface Node {
  address: number | null;
  readonly edges: { label: string; child: Node }[];
  offset: number;
}

/** Writes the prefix tree in which dyld looks up exported symbols. The order of its bytes depends on the names alone. */
export function exportTrie(symbols: readonly ExportedSymbol[]): Buffer {
  const sorted = [...symbols].sort((a, b) => (a.name < b.name ? -1 : 1));
  const root = build(sorted, 0);
  const nodes: Node[] = [];
  const collect = (node: Node) => {
    nodes.push(node);
    for (const { child } of node.edges) collect(child);
  };
  collect(root);
  // An offset is written in a length that depends on it: repeat until nothing moves.
  for (let moved = true; moved; ) {
    moved = false;
    let offset = 0;
    for (const node of nodes) {
      if (node.offset !== offset) moved = true;
      node.offset = offset;
      offset += encode(node).length;
    }
  }
  return Buffer.concat(nodes.map(encode));
}

function build(symbols: readonly ExportedSymbol[], depth: number): Node {
  const node: Node = { address: null, edges: [], offset: 0 };
  for (let first = 0; first < symbols.length; ) {
    const symbol = symbols[first] as ExportedSymbol;
    if (symbol.name.length === depth) {
      node.address = symbol.address;
      first++;
      continue;
    }
    let end = first + 1;
    while (end < symbols.length && symbols[end]?.name[depth] === symbol.name[depth]) end++;
    const last = symbols[end - 1] as ExportedSymbol; // the shared prefix of a sorted range is that of its ends
    let length = depth + 1;
    while (length < symbol.name.length && symbol.name[length] === last.name[length]) length++;
    node.edges.push({
      label: symbol.name.slice(depth, length),
      child: build(symbols.slice(first, end), length),
    });
    first = end;
  }
  return node;
}

function encode({ address, edges }: Node): Buffer {
  const terminal = address === null ? [] : [0 /* flags: regular */, ...uleb128(address)];
  const bytes = [...uleb128(terminal.length), ...terminal, edges.length];
  for (const { label, child } of edges) bytes.push(...Buffer.from(label, "latin1"), 0, ...uleb128(child.offset));
  return Buffer.from(bytes);
}

function uleb128(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const more = rest > 127 ? 128 : 0;
    bytes.push((rest % 128) | more);
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  return bytes;
}
