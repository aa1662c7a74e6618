import { posix, resolve } from "node:path";
import type { Diagnostic } from "../../../language/diagnostics/diagnostic.ts";
import { plain } from "../../../language/diagnostics/paint.ts";
import { renderDiagnostic } from "../../../language/diagnostics/render.ts";
import type { DevProjectPaths, Generated } from "../../dev/session.ts";
import type { CommandCall } from "../command.ts";
import { exitCode } from "../command-error.ts";
import { configNames } from "../config/config-file.ts";
import type { Schema } from "../config/schemas.ts";
import { reportCommandError, reportFindings } from "../output/report.ts";
import { type ScaffoldCall, scaffoldHandlers } from "../scaffold/scaffolding.ts";
import type { ServedContract } from "../servers/served-contract.ts";
import { generationError } from "./generation.ts";
import { historySource, schemaSource } from "./watch.ts";
import { writeGenerated } from "./write-generated.ts";

/** Options of the `dev` command, which override the configuration. */
export interface DevProjectOptions {
  readonly handlers?: string | undefined;
  readonly entry?: string | undefined;
  /** Whether each generation also creates missing handlers. */
  readonly scaffold?: boolean | undefined;
}

/** The project that `dev` serves, with its current configuration. */
export class DevProject {
  readonly #call: CommandCall;
  readonly #options: DevProjectOptions;
  #schema: Schema;
  /** The contract of the last generation. */
  contract: ServedContract | undefined;
  /** Handlers whose syntax errors the last generation reported. The bundler finds them again. */
  faulty: readonly string[] = [];

  constructor(call: CommandCall, options: DevProjectOptions, schema: Schema) {
    this.#call = call;
    this.#options = options;
    this.#schema = schema;
  }

  /** Returns the paths of the project, or a message that explains why it cannot be served. */
  paths(): DevProjectPaths | string {
    const { path, generation } = this.#schema;
    const { cwd } = this.#call;
    const handlers = this.#options.handlers ?? generation?.handlers;
    if (generation?.out === undefined)
      return `"${path}" has no "out" in the configuration, so it has no generated server.`;
    if (handlers === undefined)
      return `"${path}" has no folder for handlers: use --handlers, or set "handlers" in the configuration.`;
    const error = generationError({ ...this.#call, schemas: [this.#schema], options: {} });
    if (error !== undefined) return error;
    return {
      root: cwd,
      generated: resolve(cwd, generation.out),
      handlers: resolve(cwd, this.#options.entry ?? posix.join(handlers, "handlers.ts")),
      sources: [
        schemaSource(path, cwd),
        ...historySource(this.#schema, cwd),
        ...configNames.map((name) => resolve(cwd, name)),
      ],
      code: [resolve(cwd, handlers)],
    };
  }

  /** Reads the configuration again. Reports errors and returns them as text if it is invalid. */
  async reload(): Promise<DevProjectPaths | string> {
    const { reloadSchemas, report } = this.#call;
    const reloaded = await reloadSchemas();
    if (reloaded.error !== undefined) {
      reportCommandError(reloaded.error, report);
      return reloaded.error.kind === "usage" ? reloaded.error.message : textOf(reloaded.error.diagnostics);
    }
    this.#schema = reloaded.value[0] ?? this.#schema;
    const paths = this.paths();
    if (typeof paths === "string")
      reportCommandError({ kind: "usage", message: paths, help: "ridlkit help dev" }, report);
    return paths;
  }

  /** Generates code. Reports errors and returns them as text if there are any. */
  async regenerate(): Promise<Generated | string> {
    const { terminal, report } = this.#call;
    const silent = { ...terminal, out: () => {} };
    const silentCall = { ...this.#commandCall(), terminal: silent, report: { ...report, terminal: silent } };
    const { code, outputs, findings } = await writeGenerated({ ...silentCall, options: {} });
    this.#reportAsJson(findings);
    const [output] = outputs;
    if (code !== exitCode.ok || output?.result === undefined) return textOf(findings);
    const { servedContract } = await import("../servers/served-contract.ts");
    const contract = servedContract(output.result, this.#schema, {
      command: "npx ridlkit dev",
      isMock: false,
    });
    this.contract = contract;
    const schemas = output.sources;
    if (!this.#options.scaffold) return { schemas, contract, written: [] };
    const scaffolding = { ...silentCall, options: this.#scaffoldOptions() };
    const { written, findings: ofHandlers } = await scaffoldHandlers(scaffolding);
    this.faulty = ofHandlers.filter(({ name }) => name === "handler-syntax").map(({ path }) => path);
    this.#reportAsJson(ofHandlers);
    return { schemas, contract, written };
  }

  /** Diagnostics as text are printed where they are found. */
  #reportAsJson(findings: readonly Diagnostic[]): void {
    const { report } = this.#call;
    if (report.format === "json" && findings.length > 0) reportFindings(report, findings);
  }

  /** Creates missing handlers and prints their names. */
  async scaffold(): Promise<void> {
    await scaffoldHandlers({ ...this.#commandCall(), options: this.#scaffoldOptions() });
  }

  #commandCall(): Omit<CommandCall, "options"> {
    return { ...this.#call, schemas: [this.#schema], positionals: [] };
  }

  #scaffoldOptions(): ScaffoldCall["options"] {
    const { handlers } = this.#options;
    return handlers === undefined ? {} : { handlers };
  }
}

function textOf(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, plain)).join("\n");
}
