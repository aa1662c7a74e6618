import { posix, resolve } from "node:path";
import { visible } from "../../../language/diagnostics/visible.ts";
import type { Generated, Project } from "../../dev/session.ts";
import { configNames } from "../config/config-names.ts";
import type { Schema } from "../config/schemas.ts";
import { exitCode } from "../exit-code.ts";
import { type ScaffoldCall, scaffoldHandlers } from "../scaffold/scaffolding.ts";
import { tellRefusal } from "../tell-refusal.ts";
import type { Call } from "../verb.ts";
import { generate } from "../verbs/generate.ts";
import { jobOf } from "./generation.ts";
import { schemaSource } from "./watch.ts";

/** What was typed about the project, and goes before its configuration. */
export interface Given {
  readonly handlers?: string | undefined;
  readonly entry?: string | undefined;
  /** Whether missing handlers are written with each generation. */
  readonly scaffold?: boolean | undefined;
}

/** A project that is served while it is edited, as its configuration has it at the moment. */
export class DevProject {
  readonly #call: Call;
  readonly #given: Given;
  #schema: Schema;

  constructor(call: Call, given: Given, schema: Schema) {
    this.#call = call;
    this.#given = given;
    this.#schema = schema;
  }

  /** Where its parts are; a text says why it cannot be served. */
  paths(): Project | string {
    const { path, generation } = this.#schema;
    const { cwd } = this.#call;
    const handlers = this.#given.handlers ?? generation?.handlers;
    if (generation?.out === undefined)
      return `"${path}" has no "out" in the configuration, so there is nothing to serve.`;
    if (handlers === undefined)
      return `No folder for the handlers of "${path}": give --handlers, or "handlers" in the configuration.`;
    return {
      root: cwd,
      generated: resolve(cwd, generation.out),
      layout: generation.layout,
      handlers: resolve(cwd, this.#given.entry ?? posix.join(handlers, "handlers.ts")),
      sources: [schemaSource(path, cwd), ...configNames.map((name) => resolve(cwd, name))],
      code: [resolve(cwd, handlers)],
    };
  }

  /** Reads the configuration again; undefined if it has faults, which are told. */
  async readAgain(): Promise<Project | undefined> {
    const { readAgain, report, terminal } = this.#call;
    const again = await readAgain();
    if (again.refusal !== undefined) {
      await tellRefusal(again.refusal, report);
      return undefined;
    }
    this.#schema = again.value[0] ?? this.#schema;
    const layout = this.paths();
    if (typeof layout !== "string") return layout;
    terminal.err(`ridlkit: ${visible(layout)}\n`);
    return undefined;
  }

  /** Generates what changed; undefined if the schema has faults, which are told. */
  async bringInLine(): Promise<Generated | undefined> {
    const { terminal, report } = this.#call;
    const silent = { ...terminal, out: () => {} };
    const step = { ...this.#step(), terminal: silent, report: { ...report, terminal: silent } };
    if ((await generate.run({ ...step, options: {} })) !== exitCode.ok) return undefined;
    const schemas = this.#inputs();
    if (!this.#given.scaffold) return { schemas, written: [] };
    // Faults that keep handlers from being written are reported, and show again when the handlers are bundled.
    const { written } = await scaffoldHandlers({ ...step, options: this.#scaffoldOptions() });
    return { schemas, written };
  }

  /** Writes missing handlers now, and says which. */
  async scaffold(): Promise<void> {
    await scaffoldHandlers({ ...this.#step(), options: this.#scaffoldOptions() });
  }

  /** Absolute paths of the files that the generated code was made of. */
  #inputs(): readonly string[] {
    const { folder } = jobOf(this.#schema, { ...this.#call, options: {} });
    return Object.keys(folder.manifest().inputs).map((path) => resolve(folder.root, path));
  }

  #step(): Omit<Call, "options"> {
    return { ...this.#call, schemas: [this.#schema], words: [] };
  }

  #scaffoldOptions(): ScaffoldCall["options"] {
    const { handlers } = this.#given;
    return handlers === undefined ? {} : { handlers };
  }
}
