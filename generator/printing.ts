import { type CustomTemplates, noTemplates } from "./emit/custom/custom.ts";
import type { EmittedFile } from "./emit/emitter.ts";
import { targets } from "./emit/index.ts";
import type { OpenapiOptions } from "./emit/openapi/options.ts";
import { printWith } from "./emit/render.ts";
import { runtimeFiles } from "./emit/runtime-files.ts";
import type { ValueForms } from "./plan/int64.ts";
import type { Plan } from "./plan/plan.ts";
import { standardTargets, type TargetName, targetNames } from "./plan/targets.ts";

/** Whether the code of a server imports a file of this path only when it first needs it. */
export function isLate(path: string): boolean {
  return Object.values(targets).some(({ late = [] }) => late.some(({ under }) => path.startsWith(under)));
}

export interface PrintOptions {
  /** Empty: the standard ones. What a target needs comes with it. */
  readonly targets: readonly TargetName[];
  readonly openapi?: OpenapiOptions;
  readonly templates?: CustomTemplates;
}

interface Step {
  print(): readonly EmittedFile[];
  /** What the paths of its files begin with, if the code of a server imports them only when it first needs one. */
  readonly lateUnder?: string;
}

/** The files of a plan, printed step by step: what a server runs comes first, so that nobody waits for the rest of them. */
export class Printing {
  readonly #files: EmittedFile[] = [];
  /** What is still to be printed. */
  readonly #served: Step[] = [];
  readonly #late: Step[] = [];
  /** Of the late steps, printed or not. */
  readonly #lateCount: number;
  readonly #others: Step[] = [];
  readonly #overrides: CustomTemplates["overrides"];

  constructor(plan: Plan, { openapi = {}, templates = noTemplates, targets: wanted }: PrintOptions) {
    this.#overrides = templates.overrides;
    const chosen = chosenTargets(wanted, plan);
    for (const name of targetNames) {
      if (!chosen.has(name)) continue;
      const { emit, isServed, late = [], describe } = targets[name];
      (isServed ? this.#served : this.#others).push({ print: () => emit(plan, { chosen, openapi }) });
      for (const { under, emit: emitLate } of late)
        this.#late.push({ print: () => emitLate(plan), lateUnder: under });
      if (describe !== undefined) this.#others.push({ print: () => describe(plan) });
    }
    this.#lateCount = this.#late.length;
    const roots = [...chosen].flatMap((name) => targets[name].runtime);
    this.#others.push({ print: () => runtimeFiles(this.#files, roots) });
    for (const target of templates.targets) this.#others.push({ print: () => target.emit(plan) });
  }

  /** By path the files that the code of a server is made of, without late ones, and without the runtime, which hangs on no schema. */
  served(): ReadonlyMap<string, string> {
    while (this.#served.length > 0) this.next();
    return this.#byPath();
  }

  /** The text of a file that the code of a server imports when it first needs it; printed now if it is not. */
  late(path: string): string | undefined {
    const index = this.#late.findIndex(({ lateUnder = "" }) => path.startsWith(lateUnder));
    for (const step of index === -1 ? [] : this.#late.splice(index, 1)) this.#print(step);
    return this.#files.find((file) => file.path === path)?.text;
  }

  /** Prints the late files that a first call asks for, unless some are printed. */
  prepareLate(): void {
    if (this.#late.length < this.#lateCount) return;
    for (const step of this.#late.splice(0, 1)) this.#print(step);
  }

  /** Prints some more, and answers whether there was anything left. */
  next(): boolean {
    const step = this.#served.shift() ?? this.#late.shift() ?? this.#others.shift();
    if (step !== undefined) this.#print(step);
    return step !== undefined;
  }

  #print(step: Step): void {
    printWith(this.#overrides, () => this.#files.push(...step.print()));
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

/** With what they need. */
export function chosenTargets(
  wanted: PrintOptions["targets"],
  { int64, timestamps }: ValueForms,
): ReadonlySet<TargetName> {
  const chosen = new Set(wanted.length === 0 ? standardTargets : wanted);
  // A set may grow while it is walked.
  for (const name of chosen) for (const needed of targets[name].needs) chosen.add(needed);
  // What comes as a number becomes a bigint in the validators, and text a Date, and nowhere else.
  if ((int64 === "bigint" || timestamps === "Date") && chosen.has("server")) chosen.add("validators");
  return chosen;
}
