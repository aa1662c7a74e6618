import { type Command, defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";

export const lsp: Command = defineCommand({
  name: "lsp",
  summary: "help an editor with schemas, by the Language Server Protocol",
  usage: "[--stdio]",
  description: `Speaks the Language Server Protocol on standard input and output, for RIDL and schemas in YAML:
faults while one types, hover with the form on the wire, definitions and references, rename,
completion with imports, formatting, quick fixes, an outline, and the way from a method to its
handler and back. Each file is seen as part of the schemas of the configuration nearest above it.
The repository has an extension for Visual Studio Code in generator/tools/lsp/vscode; other editors
start "ridlkit lsp".`,
  options: { stdio: { kind: "flag", description: "on standard input and output, which is the only way" } },
  exclusiveOptions: [],
  takesSeveralSchemas: true,
  readsSchemas: false,
  jsonStream: "out",
  endsWithClient: true,
  examples: [{ command: "ridlkit lsp --stdio", description: "as editors start it" }],
  async run({ report }) {
    const [{ serve }, { NodeLanguageServerHost }] = await Promise.all([
      import("../../lsp/server.ts"),
      import("../language-server-host.ts"),
    ]);
    await serve(new NodeLanguageServerHost(), report.version);
    return exitCode.ok;
  },
});
