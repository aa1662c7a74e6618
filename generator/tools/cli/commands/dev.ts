import { posix } from "node:path";
import { visible } from "../../../language/diagnostics/visible.ts";
import type { DevEvent, DevOptions, DevProjectPaths } from "../../dev/session.ts";
import { type Command, type CommandCall, defineCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../command-error.ts";
import { DevProject } from "../generate/dev-project.ts";
import { schemaOptions } from "../options.ts";
import { listenFailure } from "../servers/failures.ts";
import { allowedCallers, busyPortText, callerOptions, lastPort } from "../servers/server-options.ts";

const options = {
  ...schemaOptions,
  handlers: { kind: "text", value: "DIR", description: "Folder of the handlers" },
  entry: {
    kind: "text",
    value: "FILE",
    description: "Entry module; default: DIR/handlers.ts",
  },
  port: {
    kind: "integer",
    max: 65_535,
    value: "N",
    description: "Port on loopback; default: 3000, or the next free one; 0: any free port",
  },
  ...callerOptions,
  scaffold: { kind: "flag", description: "Create missing handlers after each change of the schema" },
} as const;

type DevCall = CommandCall<typeof options>;

export const dev: Command = defineCommand({
  name: "dev",
  usage: "[options]",
  description: `Generates code, serves the handlers on loopback, and watches for changes. After an edit of the
schema or the configuration it generates again. The next call gets the new version of the code;
calls and streams in flight finish with the old one. If an edit has errors, they are printed and
the previous version keeps running. Types are not checked; use your editor or tsc.

The page at "/" shows the contract and calls its methods: the explorer.

The entry module exports one of these:
  handlers        the handlers
  createHandlers  a function that returns them
  server          the result of createServer
  listener        a request listener for node:http, such as Koa's callback

Programs and web pages of localhost can call the server; other pages and host names are rejected.
On a terminal, press "s" to create missing handlers and "q" to quit.

With --format json, each line is an event:
  { event: "serving" | "invalid" | "broken", changed, url, explorer, busyPort, ms, errors }
  { event: "failed", method, error }: a handler has thrown an error
  { ok, error, diagnostics }: findings, or an error of the command line`,
  options,
  takesOneSchema: true,
  takesArguments: false,
  prefersHandlers: true,
  jsonStream: "lines",
  examples: [
    { command: "ridlkit dev", description: "Serve on port 3000" },
    {
      command: "ridlkit dev --scaffold --port 8080",
      description: "Create handlers for new methods",
    },
  ],
  async run(call) {
    const { port = 3000 } = call.options;
    const [schema] = call.schemas;
    if (schema === undefined) return call.refuse("The configuration has no schema.");
    const project = new DevProject(call as unknown as CommandCall, call.options, schema);
    const layout = project.paths();
    if (typeof layout === "string") return call.refuse(layout);
    const guard = allowedCallers(call.options);
    if (typeof guard === "string") return call.refuse(guard);
    const listening = { port, lastPort: lastPort(port, call.options.port), guard };
    return serve(listening, project, layout, call);
  },
});

async function serve(
  listening: Pick<DevOptions, "port" | "lastPort" | "guard">,
  project: DevProject,
  first: DevProjectPaths,
  call: DevCall,
): Promise<ExitCode> {
  const { runDev } = await import("../../dev/session.ts");
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  let isFirst = true;
  const session: DevOptions = {
    ...listening,
    regenerate: () => project.regenerate(),
    reloadProject: () => project.reload(),
    onEvent: (event) => {
      if (event.kind === "serving" && isFirst) {
        printFirstSteps(event, project, call);
        isFirst = false;
      }
      printEvent(event, project.faulty, call);
      project.faulty = [];
    },
    stop: stopping.signal,
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  const keys = listenToKeys({ quit: stop, write: () => project.scaffold() });
  try {
    await runDev(session, first);
    return exitCode.ok;
  } catch (err) {
    const failure = listenFailure(err, listening.port);
    if (failure === undefined) throw err;
    return call.refuse(failure);
  } finally {
    keys.stop();
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
  }
}

/** `reported`: files whose errors are printed above. */
function printEvent(event: DevEvent, reported: readonly string[], { report, terminal, cwd }: DevCall): void {
  const changed = event.changed.map((path) => posix.relative(cwd, path));
  if (report.format === "json") {
    const { kind, ...rest } = event;
    terminal.out(`${JSON.stringify({ event: kind, ...rest, changed })}\n`);
    return;
  }
  const what = changed.length === 0 ? "" : `${visible(changed.join(", "))}: `;
  const { errPaint, outPaint } = report;
  const notServed = `${what}${errPaint.severity("error", "not served")}`;
  switch (event.kind) {
    case "serving":
      terminal.out(
        `${what}${outPaint.good("serving")} ${event.url}${busyPortText(event.busyPort)} after ${event.ms} ms\n`,
      );
      break;
    case "invalid":
      terminal.err(`${notServed}, because of the errors above\n`);
      break;
    case "failed":
      terminal.err(
        `${errPaint.severity("error", `${visible(event.method)} failed`)}:\n${indented(event.error)}`,
      );
      break;
    case "broken": {
      const unreported = event.errors.filter(
        (error) => !reported.some((path) => error.startsWith(`${path}:`)),
      );
      terminal.err(
        unreported.length === 0
          ? `${notServed}, because of the errors above\n`
          : `${notServed}:\n${unreported.map(indented).join("")}`,
      );
      if (process.stdin.isTTY && event.errors.some((error) => error.includes("ridlkit scaffold")))
        terminal.err('  Press "s" to run it now.\n');
    }
  }
}

/** Prints on terminals only. */
function printFirstSteps(
  { url, explorer }: Extract<DevEvent, { kind: "serving" }>,
  { contract }: DevProject,
  { report, terminal }: DevCall,
): void {
  const isWanted = terminal.outIsTerminal && report.format !== "json" && !report.quiet;
  if (!isWanted || explorer === undefined) return;
  terminal.out(contract?.firstSteps(url, explorer, report.outPaint) ?? "");
}

function indented(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${visible(line)}\n`)
    .join("");
}

/** Handles single keys if standard input is a terminal. */
function listenToKeys({ quit, write }: { readonly quit: () => void; readonly write: () => Promise<void> }): {
  readonly stop: () => void;
} {
  const { stdin } = process;
  if (!stdin.isTTY) return { stop: () => {} };
  const read = (key: Buffer): void => {
    // In raw mode, Ctrl-C arrives as a key.
    if (key[0] === 3 || key.toString() === "q") quit();
    else if (key.toString() === "s") void write();
  };
  stdin.setRawMode(true).resume().on("data", read);
  return {
    stop: () => {
      stdin.off("data", read).setRawMode(false).pause();
    },
  };
}
