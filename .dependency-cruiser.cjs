/**
 * The districts of each half and the rooms of each district, top floor first: a room imports only from rooms of lower floors.
 * Rooms on one floor do not know each other.
 */
const districts = [
  ["generator/tools/", ["cli/", "lsp/|mock/", "config/|dev/|init/|doctor/"]],
  ["generator/handlers/"],
  [
    "generator/verify/",
    ["contract-test/", "replay/|breaking/", "live/|client/|samples/|resources/|requests/"],
  ],
  ["generator/codegen/", ["generate[.]ts", "check/|emit/|join/", "plan/|write/"]],
  [
    "generator/language/",
    [
      "convert/|lint-findings[.]ts|history[.]ts",
      "compile[.]ts",
      "load[.]ts",
      "yaml/|lint/|ir/",
      "model/|ridl/|nearest-file[.]ts|semantic-version[.]ts|history-files[.]ts",
      "syntax/|diagnostics/",
      "source/",
    ],
  ],
  ["server/host/"],
  ["server/market/", ["token-metadata/", "indexer/|transfer/|versions/", "records/"]],
  ["server/webhooks/"],
  ["server/wallets/", ["signatures/|swaps/"]],
  ["server/chain/", ["follower/|events/|contract-types/", "sandbox/|rpc/", "networks/"]],
  ["server/base/", ["outbound/|credentials/", "storage/", "config/"]],
];

const floors = districts.flatMap(([district, rooms = [""]]) =>
  rooms.map((room) => ({ half: district.split("/")[0], path: `^${district}(${room})` })),
);

const upward = floors.flatMap(({ half, path }, index) => {
  const above = floors.slice(0, index).filter((floor) => floor.half === half);
  const name = `no-import-up-from-${path.replace(/\[.]ts|[^a-z]+/g, "-").replace(/^-|-$/g, "")}`;
  return above.length === 0
    ? []
    : [{ name, severity: "error", from: { path }, to: { path: above.map((floor) => floor.path).join("|") } }];
});

const sideways = districts.flatMap(([district, rooms = []]) =>
  rooms
    .filter((floor) => floor.includes("|"))
    .map((floor) => ({
      name: `no-import-across-${floor.replace(/\[.]ts|[^a-z]+/g, "-").replace(/-$/, "")}`,
      severity: "error",
      from: { path: `^${district}(${floor})` },
      to: { path: `^${district}(${floor})`, pathNot: `^${district}$1` },
    })),
);

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-unresolvable",
      severity: "error",
      // Peers of a benchmark are installed when it runs, the extension has packages of its own.
      from: {
        pathNot:
          "^test/bench/[^/]+/candidates/|/fixtures/|^generator/tools/lsp/vscode/|^test/stacks/recipes/|^test/apps/[^/]+/|^test/(mcp|stacks|standard-schema)/[.]made/",
      },
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
        "It serves the explorer like generated servers, and shares two rules with the generator: which word was meant, and which callers are of this machine.",
      severity: "error",
      from: { path: "^server/" },
      to: {
        path: "^generator/",
        pathNot:
          "^generator/(language/diagnostics/suggest|tools/dev/loopback|codegen/runtime/v1/explorer-files)[.]ts$|^generator/explorer/",
      },
    },
    {
      name: "only-the-cli-touches-the-world",
      comment:
        "File system, processes and the terminal belong to generator/tools/cli, and to what serves a project while it is edited.",
      severity: "error",
      from: {
        path: "^generator/",
        pathNot:
          "^generator/(tools/(cli|dev|lsp/vscode)/|explorer/|codegen/(runtime/|emit/precompile[.]mjs))",
      },
      to: {
        path: "^(node:)?(fs|fs/promises|process|child_process|tty|os|net|http)$",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "the-runtime-stands-alone",
      comment:
        "It is copied into users' code: it knows only itself, Node, the types of Koa and TanStack Query, and for schemas with files the parser of forms.",
      severity: "error",
      from: { path: "^generator/codegen/runtime/" },
      to: {
        pathNot:
          "^generator/codegen/runtime/|^node:|^(http|fs|stream|buffer|crypto|util|net)$|node_modules/((@types/)?koa|@tanstack/query-core/|@fastify/busboy/|@remix-run/multipart-parser/)",
        dependencyTypesNot: ["core"],
      },
    },
    {
      name: "nothing-imports-the-runtime",
      comment:
        "Generated code stands on the copy that is generated with it. A client without generated code uses the runtime itself, and so does every server of the explorer.",
      severity: "error",
      from: { path: "^generator/", pathNot: "^generator/(codegen/runtime|verify/client)/" },
      to: {
        path: "^generator/codegen/runtime/",
        pathNot: "^generator/codegen/runtime/v1/explorer-files[.]ts$",
      },
    },
    {
      name: "koa-stays-at-the-door",
      comment: "Handlers and the rooms below them know no HTTP framework.",
      severity: "error",
      from: { path: "^server/", pathNot: "^server/host/(http/|app[.]ts)" },
      to: { path: "node_modules/(@types/)?(koa|@koa)/" },
    },
    {
      name: "calls-leave-by-one-door",
      comment: "Addresses that others named are called by the guarded agent alone.",
      severity: "error",
      from: { path: "^server/", pathNot: "^server/(base/outbound|chain/rpc)/" },
      to: { path: "node_modules/undici/" },
    },
    {
      name: "viem-is-loaded-on-first-use",
      comment:
        "It takes a tenth of a second and tens of megabytes: the rooms that stand on it are imported when they are needed.",
      severity: "error",
      from: {
        path: "^server/",
        pathNot: "^server/(chain/(networks/generate-chains[.]ts|sandbox/)|host/demo/)|/viem/",
      },
      to: { path: "node_modules/viem/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "the-client-runs-anywhere",
      comment:
        "In browsers too: it stands on the generated client, the check of signatures, and what every runtime has.",
      severity: "error",
      from: { path: "^client/", pathNot: "^client/(examples/|esbuild[.]config[.]mjs)" },
      to: { pathNot: "^(client|generated)/|node_modules/standardwebhooks/" },
    },
    {
      name: "the-demo-stands-on-the-host",
      comment: "It calls the platform as a client does, and nothing of the platform knows of it.",
      severity: "error",
      from: { path: "^(server|client)/", pathNot: "^server/host/(demo/|main[.]ts)" },
      to: { path: "^server/host/demo/" },
    },
    {
      name: "the-page-runs-in-browsers",
      comment:
        "It stands on Preact alone. The pages of the host stand on it, and on types of what they show.",
      severity: "error",
      from: { path: "^(generator/explorer|server/host/live)/page/", pathNot: "/build[.]mjs$" },
      to: {
        pathNot:
          "^(generator/explorer|server/host/live)/page/|^server/host/live/snapshot[.]ts$|^generator/language/diagnostics/suggest[.]ts$|node_modules/preact/",
      },
    },
    {
      name: "what-the-page-knows-needs-no-page",
      comment: "Forms, calls and texts are worked out apart from what shows them.",
      severity: "error",
      from: { path: "^generator/explorer/page/(schema|json|form|call)/" },
      to: { path: "^generator/explorer/page/(state|view|show)|node_modules/preact/" },
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
        path: "^server/(base|chain|wallets|market|webhooks|host/live)/",
        pathNot: "^server/market/import-export/",
      },
      to: { path: "^(generated/|server/host/(services|http|app))" },
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
    ...sideways,
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(client|server)/dist/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      extensions: [".ts", ".mjs", ".js", ".json"],
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "default"],
    },
  },
};
