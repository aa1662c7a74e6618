import { isConstant } from "../equal-code.ts";
import { literal, withoutTexts } from "../text.ts";
import { indent, joinElse } from "./code.ts";
import type { ValidatorDeclaration } from "./function-registry.ts";

/* The text of files with validators. */

export function textOf(lines: readonly string[]): string {
  return joinElse(lines).join("\n");
}

export function textOfBlocks(blocks: readonly (readonly string[])[]): string {
  return `${blocks.map(textOf).join("\n\n")}\n`;
}

export function tableOf(
  name: string,
  type: string,
  entries: readonly { readonly key: string; readonly text: string }[],
): readonly string[] {
  return [
    `export const ${name}: ${type} = {`,
    ...indent(entries.map(({ key, text }) => `${literal(key)}: ${text},`)),
    "};",
  ];
}

/** Returns the constants as one block, followed by the functions. */
export function blocksOf(
  declared: readonly ValidatorDeclaration[],
  exported: ReadonlySet<string>,
): readonly (readonly string[])[] {
  const constants: string[] = [];
  const functions: (readonly string[])[] = [];
  for (const { name, lines } of declared) {
    const [first = "", ...rest] = lines;
    const own = exported.has(name) ? [`export ${first}`, ...rest] : lines;
    if (isConstant(lines)) constants.push(...own);
    else functions.push(own);
  }
  return constants.length === 0 ? functions : [constants, ...functions];
}

/** Imports the runtime if a function uses it. Constants never do. */
export function runtimeImport(declared: readonly ValidatorDeclaration[]): readonly string[] {
  const functions = declared.filter(({ lines }) => !isConstant(lines));
  return functions.some(usesRuntime) ? ['import * as v from "ridlkit-runtime/validation";'] : [];
}

function usesRuntime({ lines }: ValidatorDeclaration): boolean {
  return lines.some((line) => /\bv\./.test(withoutTexts(line)));
}
