import type { outdated as codes } from "../catalog/outdated.ts";
import type { Explanations } from "./explanation.ts";

const api: Readonly<Record<string, readonly string[]>> = {
  "api.ridl": ["webrpc = v1", "name = shop", "struct Order", "  - id: uint64"],
};
const templates: typeof api = { ...api, "own/notes/notes.md.hbs": ["{{schemaName}}"] };
const flags = "api.ridl --out out --target types";
const generate = `ridlkit generate ${flags}`;
const check = `ridlkit check ${flags}`;
const good = { files: api, commands: [generate, check] };

export const outdated: Explanations<keyof typeof codes> = {
  "unwritten-output": {
    rule: "What is checked was generated.",
    reason: "Without the manifest of a run, .ridlkit.manifest, nothing can be told about the folder.",
    bad: { files: api, commands: [check] },
    good,
  },
  "missing-output": {
    rule: "All generated files are there.",
    reason: "Code that imports the file does not compile.",
    bad: { files: api, commands: [generate, "rm out/types.ts", check] },
    good,
  },
  "edited-output": {
    rule: "A generated file is as it was generated.",
    reason: "An edit would be lost with the next run, and says something that the schema does not.",
    bad: { files: api, commands: [generate, "echo '// mine' >> out/types.ts", check] },
    good,
  },
  "stale-output": {
    rule: "The generated files are those of the schema as it is now.",
    reason: "Told from hashes of the schema's files, so that a comment counts as well: it may be printed.",
    bad: { files: api, commands: [generate, "echo '  - note: string' >> api.ridl", check] },
    good: { files: api, commands: [generate, "echo '  - note: string' >> api.ridl", generate, check] },
  },
  "tool-output": {
    rule: "The files are those of the ridlkit that checks them.",
    reason: "Another version may print another text. The hash is of what decides about that alone.",
    bad: {
      files: api,
      commands: [generate, "sed -i.bak 's/^tool .*/tool 0.0.1 0/' out/.ridlkit.manifest", check],
    },
    good,
  },
  "template-output": {
    rule: "The files are those of the templates as they are now.",
    reason: "Told from a hash of the folder of templates.",
    bad: {
      files: templates,
      commands: [
        `${generate} --templates own`,
        "echo more >> own/notes/notes.md.hbs",
        `${check} --templates own`,
      ],
    },
    good: { files: templates, commands: [`${generate} --templates own`, `${check} --templates own`] },
  },
  "configuration-output": {
    rule: "The files are generated with the options of the configuration.",
    reason: "Other options may give other files.",
    bad: { files: api, commands: [generate, "ridlkit check api.ridl --out out --target json"] },
    good,
  },
  "unfinished-output": {
    rule: "The files of a folder are those of one run.",
    reason: "A run that was killed leaves each file old or new; a merge of branches may do the same.",
    bad: { files: api, commands: [generate, "echo 'tool 0.0.1 0' >> out/.ridlkit.manifest", check] },
    good,
  },
  "orphaned-output": {
    rule: "A folder of generated files holds no other ones that ridlkit made.",
    reason: "Nobody keeps such a file in line, and it is still imported where it was.",
    bad: { files: api, commands: [generate, "cp out/types.ts out/old.ts", check] },
    good,
  },
};
