import { exitCode } from "../exit-code.ts";
import { defineVerb, type Verb } from "../verb.ts";

/** Helps editors with schemas. */
export const lsp: Verb = defineVerb({
  name: "lsp",
  says: "help an editor with schemas, by the Language Server Protocol",
  usage: "[--stdio]",
  about: `Speaks the Language Server Protocol on standard input and output, for RIDL and schemas in YAML:
faults while one types, hover with the form on the wire, definitions and references, rename,
completion with imports, formatting, quick fixes, an outline, and the way from a method to its
handler and back. Each file is seen as part of the schemas of the configuration nearest above it.
The repository has an extension for Visual Studio Code in generator/tools/lsp/vscode; other editors
start "ridlkit lsp".`,
  options: { stdio: { kind: "flag", says: "on standard input and output, which is the only way" } },
  exclusive: [],
  several: true,
  readsSchemas: false,
  documentOn: "out",
  isEndedByOthers: true,
  examples: [{ command: "ridlkit lsp --stdio", says: "as editors start it" }],
  async run({ report }) {
    const [{ serve }, { EditorWorld }] = await Promise.all([
      import("../../lsp/server.ts"),
      import("../editor-world.ts"),
    ]);
    await serve(new EditorWorld(), report.version);
    return exitCode.ok;
  },
});
