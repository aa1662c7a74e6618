/**
 * The floors of the house, top floor first: a folder imports only from floors below it.
 * Each rule names what is forbidden, so that a break reads as a sentence.
 */
const floors = [
  "^generator/(cli/|index[.]ts)",
  "^generator/tools/lsp/",
  "^generator/tools/config/",
  "^generator/tools/mock/",
  "^generator/tools/dev/",
  "^generator/verify/contract-test/",
  "^generator/verify/replay/",
  "^generator/verify/live/",
  "^generator/(generate[.]ts|scaffold/|check/|init/|doctor/)",
  "^generator/verify/breaking/",
  "^generator/verify/samples/",
  "^generator/verify/resources/",
  "^generator/codegen/emit/",
  "^generator/language/convert/",
  "^generator/codegen/write/",
  "^generator/codegen/plan/",
  "^generator/compile[.]ts",
  "^generator/(load|nearest-file)[.]ts",
  "^generator/language/yaml/",
  "^generator/language/lint/",
  "^generator/language/ir/",
  "^generator/language/model/",
  "^generator/language/ridl/",
  "^generator/language/syntax/",
  "^generator/language/diagnostics/",
  "^generator/language/source/",
];

const upward = floors.slice(1).map((floor, index) => ({
  name: `no-import-up-from-${floor.replace(/[^a-z]+/g, "-").replace(/^-|-$/g, "")}`,
  severity: "error",
  from: { path: floor },
  to: { path: floors.slice(0, index + 1).join("|") },
}));

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-unresolvable",
      severity: "error",
      // Peers of a benchmark are installed when it runs, the extension has packages of its own.
      from: { pathNot: "^test/bench/[^/]+/candidates/|/fixtures/|^generator/tools/lsp/vscode/" },
      to: { couldNotResolve: true, pathNot: "^ridlkit:" },
    },
    {
      name: "generator-knows-no-server",
      severity: "error",
      from: { path: "^generator/" },
      to: { path: "^(server|client|generated|test)/" },
    },
    {
      name: "server-knows-no-compiler",
      comment:
        "It shares two rules with the generator: which word was meant, and which callers are of this machine.",
      severity: "error",
      from: { path: "^server/" },
      to: { path: "^generator/", pathNot: "^generator/(diagnostics/suggest|dev/loopback)[.]ts$" },
    },
    {
      name: "only-the-cli-touches-the-world",
      comment:
        "File system, processes and the terminal belong to generator/tools/cli, and to what serves a project while it is edited.",
      severity: "error",
      from: {
        path: "^generator/",
        pathNot: "^generator/(cli/|dev/|runtime/|lsp/vscode/|emit/precompile[.]mjs)",
      },
      to: { path: "^(node:)?(fs|fs/promises|process|child_process|tty|os|net|http)$" },
    },
    {
      name: "the-runtime-stands-alone",
      comment:
        "It is copied into users' code: it knows only itself, Node, the types of Koa, and for schemas with files the parser of forms.",
      severity: "error",
      from: { path: "^generator/codegen/runtime/" },
      to: {
        pathNot:
          "^generator/codegen/runtime/|^node:|^(http|fs|stream|buffer|crypto|util|net)$|node_modules/((@types/)?koa|@fastify/busboy/)",
        dependencyTypesNot: ["core"],
      },
    },
    {
      name: "nothing-imports-the-runtime",
      comment: "Generated code stands on the copy that is generated with it.",
      severity: "error",
      from: { path: "^generator/", pathNot: "^generator/codegen/runtime/" },
      to: { path: "^generator/codegen/runtime/" },
    },
    {
      name: "koa-stays-at-the-door",
      comment: "Handlers and the rooms below them know no HTTP framework.",
      severity: "error",
      from: { path: "^server/", pathNot: "^server/(http/|app[.]ts)" },
      to: { path: "node_modules/(@types/)?(koa|@koa)/" },
    },
    {
      name: "calls-leave-by-one-door",
      comment: "Addresses that others named are called by the guarded agent alone.",
      severity: "error",
      from: { path: "^server/", pathNot: "^server/(outbound|chains)/" },
      to: { path: "node_modules/undici/" },
    },
    {
      name: "viem-is-loaded-on-first-use",
      comment:
        "It takes a tenth of a second and tens of megabytes: the rooms that stand on it are imported when they are needed.",
      severity: "error",
      from: {
        path: "^server/",
        pathNot: "^server/(networks/bake[.]ts|sandbox/|demo/|[a-z-]+/viem/|markets/seaport/viem/)",
      },
      to: { path: "node_modules/viem/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "the-client-runs-anywhere",
      comment:
        "In browsers too: it stands on the generated client, the check of signatures, and what every runtime has.",
      severity: "error",
      from: { path: "^client/", pathNot: "^client/examples/" },
      to: { pathNot: "^(client|generated)/|node_modules/standardwebhooks/" },
    },
    {
      name: "the-demo-stands-on-the-host",
      comment: "It calls the platform as a client does, and nothing of the platform knows of it.",
      severity: "error",
      from: { path: "^(server|client)/", pathNot: "^server/(demo/|main[.]ts)" },
      to: { path: "^server/host/demo/" },
    },
    {
      name: "the-page-runs-in-browsers",
      comment: "It stands on Preact, and on what a sandbox says that it shows, which are types alone.",
      severity: "error",
      from: { path: "^generator/explorer/page/", pathNot: "^generator/explorer/page/build[.]mjs$" },
      to: {
        pathNot:
          "^generator/explorer/page/|^server/host/live/shown[.]ts$|^generator/language/diagnostics/suggest[.]ts$|node_modules/preact/",
      },
    },
    {
      name: "what-the-page-knows-needs-no-page",
      comment: "Forms, calls and texts are worked out apart from what shows them.",
      severity: "error",
      from: { path: "^generator/explorer/page/(schema|json|form|call)/" },
      to: { path: "^generator/explorer/page/(state|view|live|main)|node_modules/preact/" },
    },
    {
      name: "services-do-not-know-each-other",
      severity: "error",
      from: { path: "^server/host/services/([^/]+)/" },
      to: { path: "^server/host/services/([^/]+)/", pathNot: "^server/host/services/$1/" },
    },
    {
      name: "rooms-know-no-rpc",
      comment: "What handlers ask knows nothing of methods and wire errors.",
      severity: "error",
      from: {
        path: "^server/(chains|contract-events|contract-types|follower|sandbox|signatures|swaps|records|markets|networks|outbound|webhooks|token-metadata|storage|credentials|config|live|explorer)/",
      },
      to: { path: "^(generated/|server/(services|http|app))" },
    },
    {
      name: "generated-code-stands-alone",
      severity: "error",
      from: { path: "^generated/" },
      to: {
        pathNot: "^generated/|^node:|^(http|fs|stream|buffer|crypto|util|net)$|node_modules/(@types/)?koa",
        dependencyTypesNot: ["core"],
      },
    },
    ...upward,
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      extensions: [".ts", ".mjs", ".js", ".json"],
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "default"],
    },
  },
};
