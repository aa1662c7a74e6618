import { spawn } from "node:child_process";
import type { CommandOutput } from "../../mcp/server.ts";
import { type Command, defineCommand } from "../command.ts";
import { exitCode } from "../command-error.ts";
import { readDocs } from "./docs.ts";

export const mcp: Command = defineCommand({
  name: "mcp",
  usage: "[--cwd DIR]",
  description: `Runs a server for coding agents that speak the Model Context Protocol, over standard input and
output. Its tools are lint, explain, generate and breaking, which run these commands, and docs,
which searches the documentation of ridlkit. Agents start the server with "npx ridlkit mcp".

The target mcp is another server: it lets agents call the methods of your API.`,
  options: {},
  readsSchemas: false,
  takesArguments: false,
  jsonStream: "out",
  endsWithClient: true,
  examples: [{ command: "ridlkit mcp --cwd api", description: "Start the server as agents do" }],
  async run({ cwd, report, terminal }) {
    const { serveMcp } = await import("../../mcp/server.ts");
    await serveMcp(process.stdin, (line) => terminal.out(line), {
      run: (args) => runSelf(args, cwd),
      docs: readDocs,
      version: report.version,
    });
    return exitCode.ok;
  },
});

/** Runs another command in a process of its own, because it may end early or write to standard output. */
function runSelf(args: readonly string[], cwd: string): Promise<CommandOutput> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [process.argv[1] ?? "", ...args], {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    child.on("error", ({ message }) => done({ code: 2, out: "", err: message }));
    child.on("close", (code) => done({ code: code ?? 2, out, err }));
  });
}
