import { expect, test } from "vitest";
import { ProgressLine } from "../../../../generator/tools/cli/output/progress.ts";
import type { Terminal } from "../../../../generator/tools/cli/process-context.ts";

function shownOn(errIsTerminal: boolean, quiet: boolean): string {
  let err = "";
  const write = (text: string): void => {
    err += text;
  };
  const terminal: Terminal = {
    errIsTerminal,
    outIsTerminal: true,
    out: () => {},
    err: write,
    write: async () => true,
  };
  const progress = new ProgressLine(terminal, { quiet });
  progress.show("1 of 2 methods");
  progress.clear();
  progress.clear();
  return err;
}

test("a terminal sees one line that goes again", () => {
  expect(shownOn(true, false)).toBe(`\r1 of 2 methods\r${" ".repeat(14)}\r`);
});

test("a pipe and --quiet see nothing", () => {
  expect([shownOn(false, false), shownOn(true, true)]).toEqual(["", ""]);
});
