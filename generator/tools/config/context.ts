import { isKeyword } from "../../codegen/plan/names.ts";
import type { ContextConfig } from "./config.ts";
import { objectReader, type SettingReader, scalarReader } from "./read.ts";

/** Whether an import specifier names a module of the project. */
export function isModulePath(specifier: string): boolean {
  return /^[.]{1,2}\//.test(specifier);
}

const readType: SettingReader<string> = scalarReader('the name of a type such as "Caller"', (node) =>
  node.kind === "string" && /^[A-Za-z_$][\w$]*$/.test(node.value) && !isKeyword(node.value)
    ? node.value
    : undefined,
);

/** A file must start with "./", because it would be read as a package otherwise. */
const readModule: SettingReader<string> = scalarReader(
  'a module such as "./server/caller.ts" or "@acme/auth"',
  (node) =>
    node.kind === "string" && (isModulePath(node.value) || isPackage(node.value)) ? node.value : undefined,
);

function isPackage(specifier: string): boolean {
  return /^[#@\w][^\s\\]*$/.test(specifier) && !/[.][cm]?tsx?$/.test(specifier);
}

export const readContext: SettingReader<ContextConfig> = objectReader(
  'an object such as { "type": "Caller", "from": "./server/caller.ts" }',
  { type: readType, from: readModule },
  ["type", "from"],
);
