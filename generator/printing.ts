import { type CustomTemplates, noTemplates } from "./emit/custom/custom.ts";
import type { EmittedFile } from "./emit/emitter.ts";
import { targets } from "./emit/index.ts";
import type { OpenapiOptions } from "./emit/openapi/options.ts";
import { printWith } from "./emit/render.ts";
import { runtimeFiles } from "./emit/runtime-files.ts";
import type { Plan } from "./plan/plan.ts";
import { standardTargets, type TargetName, targetNames } from "./plan/targets.ts";

export interface PrintOptions {
  /** Empty: the standard ones. What a target needs comes with it. */
  readonly targets: readonly TargetName[];
  readonly openapi?: OpenapiOptions;
  readonly templates?: CustomTemplates;
}

type Step = () => readonly EmittedFile[];

/** The files of a plan, printed step by step: what a server runs comes first, so that nobody waits for the rest of them. */
export class Printing {
  readonly #files: EmittedFile[] = [];
  /** What is still to be printed. */
  readonly #served: Step[] = [];
  readonly #others: Step[] = [];
  readonly #overrides: CustomTemplates["overrides"];

  constructor(plan: Plan, { openapi = {}, templates = noTemplates, targets: wanted }: PrintOptions) {
    this.#overrides = templates.overrides;
    const chosen = withNeeds(wanted.length === 0 ? standardTargets : wanted, plan);
    for (const name of targetNames) {
      if (!chosen.has(name)) continue;
      const { emit, isServed, describe } = targets[name];
      (isServed ? this.#served : this.#others).push(() => emit(plan, { chosen, openapi }));
      if (describe !== undefined) this.#others.push(() => describe(plan));
    }
    const roots = [...chosen].flatMap((name) => targets[name].runtime);
    this.#others.push(() => runtimeFiles(this.#files, roots));
    for (const target of templates.targets) this.#others.push(() => target.emit(plan));
  }

  /** By path the files that the code of a server is made of, without the runtime, which hangs on no schema. */
  served(): ReadonlyMap<string, string> {
    while (this.#served.length > 0) this.next();
    return this.#byPath();
  }

  /** Prints some more, and answers whether there was anything left. */
  next(): boolean {
    const step = this.#served.shift() ?? this.#others.shift();
    if (step === undefined) return false;
    printWith(this.#overrides, () => this.#files.push(...step()));
    return true;
  }

  /** By path. */
  all(): ReadonlyMap<string, string> {
    while (this.next());
    const byPath = this.#byPath();
    if (byPath.size !== this.#files.length) throw new Error("two files of one generation have the same path");
    return byPath;
  }

  #byPath(): ReadonlyMap<string, string> {
    return new Map(this.#files.map(({ path, text }) => [path, text]));
  }
}

function withNeeds(wanted: readonly TargetName[], { int64 }: Plan): ReadonlySet<TargetName> {
  const chosen = new Set(wanted);
  // A set may grow while it is walked.
  for (const name of chosen) for (const needed of targets[name].needs) chosen.add(needed);
  // What comes as a number becomes a bigint in the validators, and nowhere else.
  if (int64 === "bigint" && chosen.has("server")) chosen.add("validators");
  return chosen;
}
