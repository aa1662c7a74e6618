import type { LazyCommand } from "../command.ts";

/** All commands, in the order of the help: those for daily work come first. Each is loaded on first use. */
export const commands: readonly LazyCommand[] = [
  {
    name: "init",
    summary: "Create a project, or add ridlkit to one",
    load: async () => (await import("./init.ts")).init,
  },
  {
    name: "generate",
    summary: "Generate code from schemas",
    load: async () => (await import("./generate.ts")).generate,
  },
  {
    name: "sdk",
    summary: "Write an npm package with a client",
    load: async () => (await import("./sdk.ts")).sdk,
  },
  {
    name: "check",
    summary: "Check that generated files are up to date",
    load: async () => (await import("./check.ts")).check,
  },
  {
    name: "scaffold",
    summary: "Create missing handlers and follow renames",
    load: async () => (await import("./scaffold.ts")).scaffold,
  },
  {
    name: "dev",
    summary: "Serve your handlers and reload after every edit",
    load: async () => (await import("./dev.ts")).dev,
  },
  {
    name: "mock",
    summary: "Serve a schema with generated responses",
    load: async () => (await import("./mock.ts")).mock,
  },
  {
    name: "call",
    summary: "Call a method of a server",
    load: async () => (await import("./call.ts")).call,
  },
  {
    name: "test",
    summary: "Test a running server against its schema",
    load: async () => (await import("./test.ts")).test,
  },
  {
    name: "lint",
    summary: "Check schemas for errors and style",
    load: async () => (await import("./lint.ts")).lint,
  },
  {
    name: "format",
    summary: "Format RIDL files",
    load: async () => (await import("./format.ts")).format,
  },
  {
    name: "breaking",
    summary: "Find breaking changes against an earlier version",
    load: async () => (await import("./breaking.ts")).breaking,
  },
  {
    name: "history",
    summary: "Keep the versions of a contract, and list what each changed",
    load: async () => (await import("./history.ts")).history,
  },
  {
    name: "convert",
    summary: "Convert a schema between RIDL, YAML and IR JSON",
    load: async () => (await import("./convert.ts")).convert,
  },
  {
    name: "ir",
    summary: "Print a schema's IR, the JSON that webrpc generators read",
    load: async () => (await import("./ir.ts")).ir,
  },
  {
    name: "explain",
    summary: "Explain an error code, or list all codes",
    load: async () => (await import("./explain.ts")).explain,
  },
  {
    name: "docs",
    summary: "Print a page of the documentation, or search it",
    load: async () => (await import("./docs.ts")).docs,
  },
  {
    name: "doctor",
    summary: "Find problems in a project's setup",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  {
    name: "lsp",
    summary: "Start the language server for editors",
    load: async () => (await import("./lsp.ts")).lsp,
  },
  {
    name: "mcp",
    summary: "Run the server for coding agents",
    load: async () => (await import("./mcp.ts")).mcp,
  },
];
