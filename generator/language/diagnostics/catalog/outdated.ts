import type { Examples } from "./entry.ts";

const api: Readonly<Record<string, readonly string[]>> = {
  "api.ridl": ["webrpc = v1", "name = shop", "struct Order", "  - id: uint64"],
};

const flags = "api.ridl --out out --target types";
const generate = `ridlkit generate ${flags}`;
const check = `ridlkit check ${flags}`;
const edit = "echo '  - note: string' >> api.ridl";

/** Generated files that are missing or out of date: RK690 to RK699. */
export const outdated = {
  "unwritten-output": {
    code: "RK690",
    severity: "error",
    message: '"{path}" has no generated files yet.',
    rule: "The code of the checked folder was generated.",
    reason: "Code that imports a missing file does not compile.",
    examples: (): Examples => ({
      bad: { files: api, commands: [check] },
      good: { files: api, commands: [generate, check] },
    }),
  },
  "outdated-output": {
    code: "RK691",
    severity: "error",
    message: '"{path}" differs from what ridlkit generates: {files}.',
    rule: "Generated files match the schema, the templates, the configuration and the version of ridlkit.",
    reason:
      "ridlkit generates the code in memory and compares it with the files. An edit of a generated file is lost with the next generation.",
    examples: (): Examples => ({
      bad: { files: api, commands: [generate, edit, check] },
      good: { files: api, commands: [generate, edit, generate, check] },
    }),
  },
} as const;
