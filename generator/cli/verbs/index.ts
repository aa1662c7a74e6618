import { tuneForShortRuns } from "../tune.ts";
import type { LazyVerb, Verb } from "../verb.ts";
import { check } from "./check.ts";

/**
 * Every verb, in the order of the help. Each is loaded when it is asked for, save the one that runs in CI and before each commit,
 * which is in one file with the frame and so starts at once.
 */
export const verbs: readonly LazyVerb[] = [
  { name: "lint", load: async () => tuned((await import("./lint.ts")).lint) },
  { name: "breaking", load: async () => tuned((await import("./breaking.ts")).breaking) },
  { name: "test", load: async () => (await import("./test.ts")).test },
  { name: "format", load: async () => tuned((await import("./format.ts")).format) },
  { name: "convert", load: async () => tuned((await import("./convert.ts")).convert) },
  { name: "explain", load: async () => (await import("./explain.ts")).explain },
  { name: "generate", load: async () => tuned((await import("./generate.ts")).generate, "printing") },
  { name: "check", load: async () => check },
  { name: "scaffold", load: async () => tuned((await import("./scaffold.ts")).scaffold) },
  { name: "dev", load: async () => (await import("./dev.ts")).dev },
  { name: "mock", load: async () => (await import("./mock.ts")).mock },
  { name: "init", load: async () => (await import("./init.ts")).init },
  { name: "doctor", load: async () => (await import("./doctor.ts")).doctor },
  { name: "lsp", load: async () => (await import("./lsp.ts")).lsp },
  { name: "ir", load: async () => tuned((await import("./ir.ts")).ir) },
];

/** Of verbs that parse, and are over soon. */
function tuned(verb: Verb, work: "reading" | "printing" = "reading"): Verb {
  tuneForShortRuns(work);
  return verb;
}
