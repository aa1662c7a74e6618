import type { writing as codes } from "../catalog/writing.ts";
import type { Explanations } from "./explanation.ts";

const api: Readonly<Record<string, readonly string[]>> = {
  "api.ridl": ["webrpc = v1", "name = shop", "struct Order", "  - id: uint64"],
};
const twoOutputs = (out: string): typeof api => ({
  "web.ridl": [
    "webrpc = v1",
    "name = web",
    "version = v1",
    "basepath = /",
    "service Types",
    "  - Find(id: uint64)",
  ],
  "ridlkit.config.json": [
    '{ "schemas": [',
    '  { "name": "web", "entry": "web.ridl", "out": "out", "layout": "services", "targets": ["client"] },',
    `  { "name": "api", "entry": "web.ridl", "out": "${out}", "layout": "services", "targets": ["client"] }`,
    "] }",
  ],
});
const serving = (method: string): typeof api => ({
  "api.ridl": ["webrpc = v1", "name = shop", "version = v1", "basepath = /", "service Shop", method],
});
const generateAll = "ridlkit generate api.ridl --out out";
const generate = "ridlkit generate api.ridl --out out --target types";

export const writing: Explanations<keyof typeof codes> = {
  "edited-file": {
    rule: "Generated files are not edited by hand.",
    reason: "The next run would overwrite the edit, so it stops and writes nothing.",
    bad: {
      files: api,
      commands: [generate, "echo '// mine' >> out/types.ts", "echo '  - note: string' >> api.ridl", generate],
    },
    good: { files: api, commands: [generate, "echo '  - note: string' >> api.ridl", generate] },
  },
  "foreign-file": {
    rule: "A generated file does not replace a hand-written file.",
    reason: "A hand-written file cannot be generated again.",
    bad: { files: api, commands: ["mkdir out", "echo '// mine' > out/types.ts", generate] },
    good: { files: api, commands: ["mkdir out", "echo '// mine' > out/mine.ts", generate] },
  },
  "unlisted-file": {
    rule: "The manifest .ridlkit.manifest lists all generated files.",
    reason:
      "Without a hash in the manifest, an edited file looks like an unchanged one, so nothing is written.",
    bad: {
      files: api,
      commands: [generate, "rm out/.ridlkit.manifest", "echo '// mine' >> out/types.ts", generate],
    },
    good: {
      files: api,
      commands: [
        generate,
        "rm out/.ridlkit.manifest",
        "echo '// mine' >> out/types.ts",
        `${generate} --force`,
      ],
    },
  },
  "cannot-write": {
    rule: "The output folder is writable.",
    reason: "The message contains the reason from the operating system.",
    bad: { files: { ...api, out: ["a file, not a folder"] }, commands: [generate] },
    good: { files: api, commands: [generate] },
  },
  "taken-place": {
    rule: "Generated files are written into real folders, not over folders or through links.",
    reason: "The target of a link may belong to something else.",
    bad: { files: api, commands: ["mkdir out", "mkdir out/types.ts", generate] },
    good: { files: api, commands: ["mkdir out", generate] },
  },
  "two-targets": {
    rule: "Every generated file belongs to one schema.",
    reason: "The second schema would overwrite the files of the first, in every run.",
    bad: { files: { ...api, ...twoOutputs("out/client") }, commands: ["ridlkit generate"] },
    good: { files: { ...api, ...twoOutputs("other") }, commands: ["ridlkit generate"] },
  },
  "template-fault": {
    rule: "A custom template uses only names that the plan has.",
    reason: "An unknown name would silently print nothing.",
    bad: {
      files: { ...api, "mine/list/types.txt.hbs": ["{{#each types}}", "{{nmae}}", "{{/each}}"] },
      commands: ["ridlkit generate api.ridl --out out --templates mine"],
    },
    good: {
      files: { ...api, "mine/list/types.txt.hbs": ["{{#each types}}", "{{name}}", "{{/each}}"] },
      commands: ["ridlkit generate api.ridl --out out --templates mine"],
    },
  },
  "stream-left-out": {
    rule: "Methods do not stream their requests.",
    reason: "No code can be generated for such a method, so clients and servers do not have it.",
    bad: { files: serving("  - stream Upload(line: string)"), commands: [generateAll] },
    good: { files: serving("  - Watch() => stream (line: string)"), commands: [generateAll] },
  },
};
