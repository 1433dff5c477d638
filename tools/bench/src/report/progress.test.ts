import { expect, it } from "vitest";
import { Progress, widthOf } from "./progress.js";

function output(properties: { isTTY?: boolean; columns?: number }) {
  const written: string[] = [];
  return { ...properties, written, write: (text: string) => written.push(text) };
}

it("writes nothing but lines that stay when it is no terminal", () => {
  const plain = output({});
  const progress = new Progress(plain);
  progress.now("1 of 15");
  progress.line("31.2 ms");
  progress.clear();
  expect(plain.written).toEqual(["31.2 ms\n"]);
});

it("writes over one line of a terminal, cut to its width, and takes it away before a line that stays", () => {
  const terminal = output({ isTTY: true, columns: 8 });
  const progress = new Progress(terminal);
  progress.now("1234567890");
  progress.line("done");
  progress.line("again");
  expect(terminal.written).toEqual(["\r\u001b[2K1234567", "\r\u001b[2K", "done\n", "again\n"]);
});

it("knows a width where the terminal tells none", () => {
  expect(widthOf(output({}))).toBe(120);
  expect(widthOf(output({ columns: 40 }))).toBe(40);
});
