import { posix, resolve } from "node:path";
import { compile } from "../../../language/compile.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import type { DevProjectPaths, Generated } from "../../dev/session.ts";
import type { CommandCall } from "../command.ts";
import { exitCode } from "../command-error.ts";
import { generate } from "../commands/generate.ts";
import { configNames } from "../config/config-names.ts";
import type { Schema } from "../config/schemas.ts";
import { reportCommandError } from "../output/report.ts";
import { type ScaffoldCall, scaffoldHandlers } from "../scaffold/scaffolding.ts";
import type { ServedContract } from "../servers/served-contract.ts";
import { jobOf } from "./generation.ts";
import { historySource, schemaSource } from "./watch.ts";

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

  /** Reads the configuration again. Reports errors and returns undefined if it is invalid. */
  async reload(): Promise<DevProjectPaths | undefined> {
    const { reloadSchemas, report, terminal } = this.#call;
    const reloaded = await reloadSchemas();
    if (reloaded.error !== undefined) {
      reportCommandError(reloaded.error, report);
      return undefined;
    }
    this.#schema = reloaded.value[0] ?? this.#schema;
    const paths = this.paths();
    if (typeof paths !== "string") return paths;
    terminal.err(`ridlkit: ${visible(paths)}\n`);
    return undefined;
  }

  /** Generates code. Reports errors and returns undefined if the schema is invalid. */
  async regenerate(): Promise<Generated | undefined> {
    const { terminal, report } = this.#call;
    const silent = { ...terminal, out: () => {} };
    const silentCall = { ...this.#commandCall(), terminal: silent, report: { ...report, terminal: silent } };
    if ((await generate.run({ ...silentCall, options: {} })) !== exitCode.ok) return undefined;
    const schemas = this.#inputs();
    const contract = await this.#compile();
    if (contract === undefined) return undefined;
    this.contract = contract;
    if (!this.#options.scaffold) return { schemas, contract, written: [] };
    // Errors in handlers are reported here, and again when the handlers are bundled.
    const { written } = await scaffoldHandlers({ ...silentCall, options: this.#scaffoldOptions() });
    return { schemas, contract, written };
  }

  /** Creates missing handlers and prints their names. */
  async scaffold(): Promise<void> {
    await scaffoldHandlers({ ...this.#commandCall(), options: this.#scaffoldOptions() });
  }

  /** Undefined if the schema was edited after the generation and has errors now. */
  async #compile(): Promise<ServedContract | undefined> {
    const { result } = compile(this.#schema.path, this.#call.reader, this.#schema);
    if (result === undefined) return undefined;
    const { servedContract } = await import("../servers/served-contract.ts");
    return servedContract(result, this.#schema, { command: "npx ridlkit dev", isMock: false });
  }

  /** Absolute paths of the schema files that the code was generated from. */
  #inputs(): readonly string[] {
    const { folder } = jobOf(this.#schema, { ...this.#call, options: {} });
    return Object.keys(folder.manifest().inputs).map((path) => resolve(folder.root, path));
  }

  #commandCall(): Omit<CommandCall, "options"> {
    return { ...this.#call, schemas: [this.#schema], positionals: [] };
  }

  #scaffoldOptions(): ScaffoldCall["options"] {
    const { handlers } = this.#options;
    return handlers === undefined ? {} : { handlers };
  }
}
