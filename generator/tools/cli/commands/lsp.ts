import { type Command, defineCommand } from "../command.ts";
import { exitCode } from "../command-error.ts";

export const lsp: Command = defineCommand({
  name: "lsp",
  usage: "[--stdio]",
  description: `Runs the language server for RIDL files and YAML schemas over standard input and output. It
provides diagnostics, hovers with the JSON form, definitions, references, rename, completion with
imports, formatting, quick fixes, an outline, and navigation between methods and their handlers.
Each file is checked as part of the schemas in the nearest configuration above it.

The repository has an extension for Visual Studio Code in generator/tools/lsp/vscode. Other editors
start "ridlkit lsp".`,
  options: { stdio: { kind: "flag", description: "Use standard input and output (always on)" } },
  readsSchemas: false,
  takesArguments: false,
  jsonStream: "out",
  endsWithClient: true,
  examples: [{ command: "ridlkit lsp --stdio", description: "Start the server as editors do" }],
  async run({ report }) {
    const [{ serve }, { NodeLanguageServerHost }] = await Promise.all([
      import("../../lsp/server.ts"),
      import("../file-language-server-host.ts"),
    ]);
    await serve(new NodeLanguageServerHost(), report.version);
    return exitCode.ok;
  },
});
