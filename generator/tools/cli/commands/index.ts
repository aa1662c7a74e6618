import type { LazyCommand } from "../command.ts";

/** All commands, in the order of the help. Each is loaded on first use. */
export const commands: readonly LazyCommand[] = [
  { name: "lint", load: async () => (await import("./lint.ts")).lint },
  { name: "breaking", load: async () => (await import("./breaking.ts")).breaking },
  { name: "history", load: async () => (await import("./history.ts")).history },
  { name: "call", load: async () => (await import("./call.ts")).call },
  { name: "test", load: async () => (await import("./test.ts")).test },
  { name: "format", load: async () => (await import("./format.ts")).format },
  { name: "convert", load: async () => (await import("./convert.ts")).convert },
  { name: "explain", load: async () => (await import("./explain.ts")).explain },
  { name: "generate", load: async () => (await import("./generate.ts")).generate },
  { name: "check", load: async () => (await import("./check.ts")).check },
  { name: "scaffold", load: async () => (await import("./scaffold.ts")).scaffold },
  { name: "dev", load: async () => (await import("./dev.ts")).dev },
  { name: "mock", load: async () => (await import("./mock.ts")).mock },
  { name: "init", load: async () => (await import("./init.ts")).init },
  { name: "doctor", load: async () => (await import("./doctor.ts")).doctor },
  { name: "lsp", load: async () => (await import("./lsp.ts")).lsp },
  { name: "ir", load: async () => (await import("./ir.ts")).ir },
  { name: "completion", load: async () => (await import("./completion.ts")).completion },
];
