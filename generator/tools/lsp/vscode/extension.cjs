// Starts the language server of the workspace's ridlkit, so that the editor reports the same diagnostics as the command line.
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function activate(context) {
  if (!vscode.workspace.isTrusted) {
    context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(() => start()));
    return;
  }
  await start();
}

async function start() {
  const [command, ...args] = commandLine();
  client = new LanguageClient(
    "ridl",
    "RIDL",
    { command, args, options: { env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" } } },
    {
      documentSelector: [
        { scheme: "file", language: "ridl" },
        { scheme: "file", language: "yaml" },
        { scheme: "file", language: "typescript" },
      ],
      // For TypeScript files the server only provides navigation from a handler to its method.
      middleware: {
        provideHover: (document, position, token, next) =>
          document.languageId === "typescript" ? undefined : next(document, position, token),
        provideCompletionItem: (document, position, context, token, next) =>
          document.languageId === "typescript" ? undefined : next(document, position, context, token),
      },
    },
  );
  await client.start();
}

function commandLine() {
  const configured = vscode.workspace.getConfiguration("ridl").get("command");
  if (configured.length > 0) return configured;
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    const program = join(uri.fsPath, "node_modules", "ridlkit", "dist", "ridlkit.js");
    if (existsSync(program)) return [process.execPath, program, "lsp", "--stdio"];
  }
  return [process.platform === "win32" ? "ridlkit.cmd" : "ridlkit", "lsp", "--stdio"];
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
