import type { Examples } from "./entry.ts";

const api: Readonly<Record<string, readonly string[]>> = {
  "api.ridl": ["webrpc = v1", "name = shop", "struct Order", "  - id: uint64"],
};

const twoOutputs = (out: string): typeof api => ({
  "web.ridl": [
    "webrpc = v1",
    "name = web",
    "version = v1",
    "basepath = /",
    "service Web",
    "  - Find(id: uint64)",
  ],
  "ridlkit.config.json": [
    '{ "schemas": [',
    '  { "name": "web", "entry": "web.ridl", "out": "out", "runtime": "copy", "targets": ["client"] },',
    `  { "name": "api", "entry": "web.ridl", "out": "${out}", "targets": ["client"] }`,
    "] }",
  ],
});

const serving = (method: string): typeof api => ({
  "api.ridl": ["webrpc = v1", "name = shop", "version = v1", "basepath = /", "service Shop", method],
});

const generateAll = "ridlkit generate api.ridl --out out";
const generate = "ridlkit generate api.ridl --out out --target types";

/** Files that a run writes: RK600 to RK609. */
export const writing = {
  "foreign-file": {
    code: "RK602",
    severity: "error",
    message: '"{path}" was not generated, but a generated file has to be written there.',
    advice: "Move or delete it, or choose another output folder.",
    rule: "A generated file does not replace a hand-written file.",
    reason:
      "A hand-written file cannot be generated again. Files count as generated if .ridlkit.manifest lists them or if they start with the line of generated code.",
    examples: (): Examples => ({
      bad: { files: api, commands: ["mkdir out", "echo '// mine' > out/types.ts", generate] },
      good: { files: api, commands: ["mkdir out", "echo '// mine' > out/mine.ts", generate] },
    }),
  },
  "cannot-write": {
    code: "RK603",
    severity: "error",
    message: 'Cannot write "{path}": {reason}.',
    advice: "Fix this, then run the same command again.",
    rule: "The output folder is writable.",
    reason: "The message contains the reason from the operating system.",
    examples: (): Examples => ({
      bad: { files: { ...api, out: ["a file, not a folder"] }, commands: [generate] },
      good: { files: api, commands: [generate] },
    }),
  },
  "stream-left-out": {
    code: "RK604",
    severity: "warning",
    message: 'No client or server code is generated for "{method}", because it streams its request.',
    advice: "Its types and all other methods are generated; only responses can stream.",
    rule: "Methods do not stream their requests.",
    reason: "No code can be generated for such a method, so clients and servers do not have it.",
    examples: (): Examples => ({
      bad: { files: serving("  - stream Upload(line: string)"), commands: [generateAll] },
      good: { files: serving("  - Watch() => stream (line: string)"), commands: [generateAll] },
    }),
  },
  "taken-place": {
    code: "RK605",
    severity: "error",
    message: '"{path}" is {what}, so no generated file can be written there.',
    advice: "Move it, or choose another output folder.",
    rule: "Generated files are written into real folders, not over folders or through links.",
    reason: "The target of a link may belong to something else.",
    examples: (): Examples => ({
      bad: { files: api, commands: ["mkdir out", "mkdir out/types.ts", generate] },
      good: { files: api, commands: ["mkdir out", generate] },
    }),
  },
  "two-targets": {
    code: "RK606",
    severity: "error",
    message: '"{path}" would be generated for "{first}" and for "{second}".',
    advice: "Give each schema an output folder of its own.",
    rule: "Every generated file belongs to one schema.",
    reason: "The second schema would overwrite the files of the first, in every run.",
    examples: (): Examples => ({
      bad: { files: { ...api, ...twoOutputs("out/runtime") }, commands: ["ridlkit generate"] },
      good: { files: { ...api, ...twoOutputs("other") }, commands: ["ridlkit generate"] },
    }),
  },
  "template-fault": {
    code: "RK607",
    severity: "error",
    message: "A custom template cannot be used: {reason}",
    advice:
      'The page "Templates" of the documentation describes the plan and the helpers that templates can use.',
    rule: "A custom template uses only names that the plan has.",
    reason: "An unknown name would silently print nothing.",
    examples: (): Examples => ({
      bad: {
        files: { ...api, "mine/list/types.txt.hbs": ["{{#each types}}", "{{nmae}}", "{{/each}}"] },
        commands: ["ridlkit generate api.ridl --out out --templates mine"],
      },
      good: {
        files: { ...api, "mine/list/types.txt.hbs": ["{{#each types}}", "{{name}}", "{{/each}}"] },
        commands: ["ridlkit generate api.ridl --out out --templates mine"],
      },
    }),
  },
} as const;
