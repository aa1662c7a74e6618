import { expect, test } from "vitest";
import { folder, ridlkitProcess } from "../../../support/program.ts";

const header = "webrpc: v1\nname: x\n";
const many = 1_000_000;

/** Inputs designed to be expensive or misleading. */
const rows: readonly (readonly [fact: string, code: string, text: () => string])[] = [
  ["an anchor that holds itself", "RK618", () => `${header}types: &a\n  A: *a\n`],
  ["a billion laughs", "RK618", () => `${header}${laughs()}`],
  ["10,000 brackets", "RK622", () => `${header}types: ${"[".repeat(10_000)}`],
  ["10,000 braces", "RK622", () => `${header}types: ${"{a: ".repeat(10_000)}`],
  ["10,000 dashes on a line", "RK622", () => `${header}types:\n  ${"- ".repeat(10_000)}x\n`],
  ["3,000 levels of indentation", "RK622", () => `${header}types:\n${steps(3_000)}`],
  ["a million types", "RK623", () => `${header}types:\n${"  A: string\n".repeat(many)}`],
  ["two million commas", "RK623", () => `${header}types: [${",,".repeat(many)}`],
  ["two million quotes", "RK623", () => '""'.repeat(many)],
  ["a million keys without a colon", "RK623", () => `${header}types: {${'"a" "b" '.repeat(many)}}`],
  ["three million empty lines", "RK623", () => `${header}${"\n\n\n".repeat(many)}`],
  ["a line of twelve million letters", "RK613", () => "k".repeat(12 * many)],
  ["100,000 commas with nothing between", "RK610", () => `${header}types: [${",".repeat(100_000)}]`],
  ["control characters", "RK621", () => `${header}types:\n  A\u0002: string\n`],
  ["50 MB", "RK202", () => `${header}${"types: 1\n".repeat((50 * many) / 9)}`],
];

test.each(rows)(
  "%s is one error, uses under half a gigabyte and prints no stack trace",
  async (_, code, text) => {
    using dir = folder({ "bad.yaml": text() });
    const run = await ridlkitProcess(["lint", "--format", "json", "bad.yaml"], {
      cwd: dir.path,
      // Beyond it, Node ends the process with an exit code that ridlkit does not use.
      node: ["--max-old-space-size=512"],
    });
    expect(run.err).toBe("");
    const { diagnostics } = JSON.parse(run.out) as {
      readonly diagnostics: readonly { readonly code: string }[];
    };
    expect([run.code, diagnostics.map((one) => one.code)]).toEqual([1, [code]]);
  },
);

function laughs(): string {
  const letters = "abcdefghij";
  const lines = Array.from(letters, (letter, index) => {
    const before = index === 0 ? "x" : `*${letters[index - 1]}`;
    return `${letter}: &${letter} [${Array(9).fill(before).join(",")}]\n`;
  });
  return lines.join("");
}

function steps(count: number): string {
  return Array.from({ length: count }, (_, level) => `${" ".repeat(level + 1)}a:\n`).join("");
}
