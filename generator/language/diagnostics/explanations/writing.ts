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
    rule: "A generated file is not edited by hand.",
    reason: "The next run would lose the edit, so it stops instead and writes nothing.",
    bad: {
      files: api,
      commands: [generate, "echo '// mine' >> out/types.ts", "echo '  - note: string' >> api.ridl", generate],
    },
    good: { files: api, commands: [generate, "echo '  - note: string' >> api.ridl", generate] },
  },
  "foreign-file": {
    rule: "A generated file takes no other file's place.",
    reason: "What was not generated cannot be made again.",
    bad: { files: api, commands: ["mkdir out", "echo '// mine' > out/types.ts", generate] },
    good: { files: api, commands: ["mkdir out", "echo '// mine' > out/mine.ts", generate] },
  },
  "cannot-write": {
    rule: "The output folder can be written.",
    reason: "The message has the reason that the system gave.",
    bad: { files: { ...api, out: ["a file, no folder"] }, commands: [generate] },
    good: { files: api, commands: [generate] },
  },
  "taken-place": {
    rule: "Generated files stand in folders, not behind links.",
    reason: "What is behind a link belongs to somebody else.",
    bad: { files: api, commands: ["mkdir out", "mkdir out/types.ts", generate] },
    good: { files: api, commands: ["mkdir out", generate] },
  },
  "two-targets": {
    rule: "Each generated file has one schema.",
    reason: "The second would overwrite the first, and each run would undo the other.",
    bad: { files: { ...api, ...twoOutputs("out/client") }, commands: ["ridlkit generate"] },
    good: { files: { ...api, ...twoOutputs("other") }, commands: ["ridlkit generate"] },
  },
  "template-fault": {
    rule: "A template of a user's folder prints what the plan has.",
    reason: "A name that is not there would print nothing, and nobody would notice.",
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
    rule: "A method that code is made of does not stream its request.",
    reason: "Better a warning now than a method that is missed later.",
    bad: { files: serving("  - stream Upload(line: string)"), commands: [generateAll] },
    good: { files: serving("  - Watch() => stream (line: string)"), commands: [generateAll] },
  },
};
