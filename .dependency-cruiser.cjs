const { readdirSync } = require("node:fs");

/**
 * The layers of both products, top first. A layer lists its modules in rows, top first; a layer without rows is one module.
 * A module imports only from modules of lower rows and lower layers of its product. `*.ts` and `*.*` are the files of the folder itself.
 */
const layers = [
  { folder: "generator/", rows: [["index.ts", "mock.ts"]] },
  {
    folder: "generator/tools/",
    rows: [["cli/"], ["lsp/", "mock/"], ["config/", "dev/", "init/", "doctor/", "mcp/"]],
  },
  { folder: "generator/handlers/" },
  {
    folder: "generator/verify/",
    rows: [
      ["contract-test/"],
      ["replay/", "breaking/"],
      ["responses/"],
      ["in-memory/", "client/", "samples/", "resources/", "requests/"],
    ],
  },
  {
    folder: "generator/codegen/",
    rows: [
      ["generate.ts"],
      ["runtime.ts"],
      [
        "emit/client/",
        "emit/errors/",
        "emit/explorer/",
        "emit/mcp/",
        "emit/openapi/",
        "emit/recorder/",
        "emit/standard-schema/",
        "emit/drop-in/",
        "emit/versions/",
      ],
      ["emit/json-schema/", "emit/server/", "emit/types/", "emit/validators/"],
      ["emit/*.*"],
      ["options.ts"],
      ["plan/"],
    ],
  },
  { folder: "generator/explorer/" },
  {
    folder: "generator/language/",
    rows: [
      ["convert/", "lint-findings.ts", "explain.ts", "history.ts", "fixes.ts"],
      ["compile.ts"],
      ["load.ts"],
      ["yaml/", "lint/", "ir/"],
      ["model/", "ridl/", "nearest-file.ts", "semantic-version.ts", "history-files.ts"],
      ["syntax/", "diagnostics/"],
      ["source/"],
    ],
  },
  { folder: "generator/runtime/src/" },
  { folder: "server/host/" },
  {
    folder: "server/market/",
    rows: [["token-metadata/"], ["indexer/", "import-export/", "etags/"], ["records/"]],
  },
  { folder: "server/webhooks/" },
  { folder: "server/wallets/", rows: [["signatures/", "swaps/"]] },
  {
    folder: "server/chain/",
    rows: [["follower/", "events/", "contract-types/"], ["sandbox/", "rpc/"], ["networks/"]],
  },
  {
    folder: "server/base/",
    rows: [["outbound/", "credentials/"], ["storage/"], ["config/"], ["*.ts"]],
  },
];

const rows = layers.flatMap(({ folder, rows: names = [[""]] }) =>
  names.map((row) => row.map((name) => folder + name)),
);
const modules = rows.flat();
checkModules();

/** Without this check, a renamed or new folder would have no rules. */
function checkModules() {
  const files = ["generator", "server"].flatMap((product) =>
    readdirSync(product, { recursive: true })
      .map((path) => `${product}/${path.replaceAll("\\", "/")}`)
      // Scripts that build packages are no part of them.
      .filter(
        (path) =>
          /[.][cm]?[jt]sx?$/.test(path) &&
          !/\/(node_modules|dist)\/|^server\/(deploy\/)?[^/]+$|^generator\/runtime\/[^/]+$/.test(path),
      ),
  );
  const faults = [
    ...modules
      .filter((module) => !files.some((path) => isIn(path, module)))
      .map((module) => `the module ${module} has no files`),
    ...files.flatMap((path) => {
      const owners = modules.filter((module) => isIn(path, module));
      return owners.length === 1 ? [] : [`${path} belongs to ${owners.join(" and ") || "no module"}`];
    }),
  ];
  if (faults.length > 0)
    throw new Error(`Correct \`layers\` in .dependency-cruiser.cjs: ${faults.join("; ")}`);
}

function pathPattern(paths) {
  return `^(${paths.join("|").replaceAll(".", "[.]").replaceAll("*", "[^/]+")})`;
}

function isIn(path, module) {
  return new RegExp(pathPattern([module])).test(path);
}

const downwards = rows.flatMap((row, index) =>
  row.flatMap((module) => {
    const product = module.split("/")[0];
    const others = [...rows.slice(0, index).flat(), ...row].filter(
      (other) => other !== module && other.startsWith(`${product}/`),
    );
    if (others.length === 0) return [];
    const name = `only-imports-below-${module.replace(/[^a-z0-9]+/g, "-").replace(/-$/, "")}`;
    return [
      { name, severity: "error", from: { path: pathPattern([module]) }, to: { path: pathPattern(others) } },
    ];
  }),
);

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-cycles-between-folders",
      comment:
        "Of two folders beside each other, one is below the other. A folder and its own subfolders may import each other.",
      severity: "error",
      scope: "folder",
      from: { path: "^(server|client|generator)/" },
      to: { circular: true },
    },
    {
      name: "no-unresolvable",
      severity: "error",
      // A benchmark installs its peers when it runs. The extension has its own packages.
      from: {
        pathNot:
          "^test/bench/[^/]+/candidates/|/fixtures/|^generator/tools/lsp/vscode/|^test/stacks/recipes/|^test/apps/[^/]+/|^test/(lint|mcp|stacks|standard-schema)/[.]made/",
      },
      to: { couldNotResolve: true, pathNot: "^ridlkit:" },
    },
    {
      name: "toolkit-without-platform",
      severity: "error",
      from: { path: "^generator/" },
      to: { path: "^(server|client|generated|test)/" },
    },
    {
      name: "platform-without-compiler",
      comment:
        "The platform serves the explorer like generated servers, and shares spelling suggestions, reasons of system errors, what terminals may show and in which colors, creation of folders, the check for callers on this machine, and modules of the runtime.",
      severity: "error",
      from: { path: "^server/" },
      to: {
        path: "^generator/",
        pathNot:
          "^generator/(language/diagnostics/(paint|suggest|system-reason|visible)|tools/(dev/loopback|cli/files/folders))[.]ts$|^generator/(explorer|runtime)/",
      },
    },
    {
      name: "only-cli-and-dev-use-node-apis",
      comment:
        "Only tools/cli and tools/dev use files, processes and the terminal. The explorer reads the files of its page.",
      severity: "error",
      from: {
        path: "^generator/",
        pathNot: "^generator/(tools/(cli|dev|lsp/vscode)/|explorer/|runtime/|codegen/emit/precompile[.]mjs)",
      },
      to: {
        path: "^(node:)?(fs|fs/promises|process|child_process|tty|os|net|http)$",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "runtime-imports-only-itself",
      comment:
        "The runtime has no dependencies. It imports only itself, Node, the types of Koa and TanStack Query, and parsers of forms.",
      severity: "error",
      from: { path: "^generator/runtime/src/" },
      to: {
        pathNot:
          "^generator/runtime/src/|^node:|^(http|fs|stream|buffer|crypto|util|net)$|node_modules/((@types/)?koa|@tanstack/query-core/|@fastify/busboy/|@remix-run/multipart-parser/)",
        dependencyTypesNot: ["core"],
      },
    },
    {
      name: "runtime-only-in-verify-client",
      comment:
        "Of the generator, only the client without generated files imports the runtime; servers of the explorer import explorer.ts, its page the readers of headers, and the compiler the table of protocol errors and the formats.",
      severity: "error",
      from: { path: "^generator/", pathNot: "^generator/(runtime|verify/client)/" },
      to: {
        path: "^generator/runtime/src/",
        pathNot: "^generator/runtime/src/(protocol-error-table|explorer|formats|headers|time)[.]ts$",
      },
    },
    {
      name: "koa-only-in-host-http",
      comment: "Handlers and the layers below them are independent of the HTTP framework.",
      severity: "error",
      from: { path: "^server/", pathNot: "^server/host/(http/|app[.]ts)" },
      to: { path: "node_modules/(@types/)?(koa|@koa)/" },
    },
    {
      name: "undici-only-in-outbound-and-rpc",
      comment: "URLs that callers chose are called only through the guarded agent of base/outbound.",
      severity: "error",
      from: { path: "^server/", pathNot: "^server/(base/outbound|chain/rpc)/" },
      to: { path: "node_modules/undici/" },
    },
    {
      name: "viem-only-in-viem-folders",
      comment:
        "Loading viem takes a tenth of a second and tens of megabytes, so folders named viem/ are imported on first use.",
      severity: "error",
      from: {
        path: "^server/",
        pathNot: "^server/(chain/(networks/generate-chains[.]ts|sandbox/)|host/demo/)|/viem/",
      },
      to: { path: "node_modules/viem/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "client-runs-in-browsers",
      comment: "The client imports only the generated client and the check of webhook signatures.",
      severity: "error",
      from: { path: "^client/", pathNot: "^client/(examples/|build[.]mjs)" },
      to: { pathNot: "^(client|generated|generator/runtime/src)/|node_modules/standardwebhooks/" },
    },
    {
      name: "demo-only-in-main",
      comment: "The demo calls the platform like a client. Only main.ts starts it.",
      severity: "error",
      from: { path: "^(server|client)/", pathNot: "^server/host/(demo/|main[.]ts)" },
      to: { path: "^server/host/demo/" },
    },
    {
      name: "pages-run-in-browsers",
      comment:
        "Pages import only Preact, spelling suggestions and readers of headers. The host's page also imports the explorer's page and the types of its data.",
      severity: "error",
      from: { path: "^(generator/explorer|server/host/sandbox-page)/page/", pathNot: "/build[.]mjs$" },
      to: {
        pathNot:
          "^(generator/explorer|server/host/sandbox-page)/page/|^server/host/sandbox-page/snapshot[.]ts$|^generator/(language/diagnostics/suggest|runtime/src/(headers|time))[.]ts$|node_modules/preact/",
      },
    },
    {
      name: "page-logic-without-preact",
      comment: "Schemas, values, forms and calls are computed apart from the components that show them.",
      severity: "error",
      from: { path: "^generator/explorer/page/(schema|json|form|call)/" },
      to: { path: "^generator/explorer/page/(state|view|show)|node_modules/preact/" },
    },
    {
      name: "no-imports-between-services",
      severity: "error",
      from: { path: "^server/host/services/([^/]+)/" },
      to: { path: "^server/host/services/([^/]+)/", pathNot: "^server/host/services/$1/" },
    },
    {
      name: "no-wire-errors-below-host",
      comment:
        "Only handlers know methods and wire errors. Imported records are checked by their own generated validators.",
      severity: "error",
      from: {
        path: "^server/(base|chain|wallets|market|webhooks|host/sandbox-page)/",
      },
      to: {
        path: "^(generated/|server/host/(services|http|app))",
        pathNot: "^generated/records/",
      },
    },
    {
      name: "generated-code-imports-only-itself",
      severity: "error",
      from: { path: "^generated/" },
      to: {
        pathNot:
          "^(generated|generator/runtime/src)/|^node:|^(http|fs|stream|buffer|crypto|util|net)$|node_modules/(@types/)?koa",
        dependencyTypesNot: ["core"],
      },
    },
    ...downwards,
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(client|server|generator/runtime)/dist/|^test/lint/eslint[.]config[.]mjs$" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      extensions: [".ts", ".mjs", ".js", ".json"],
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "default"],
    },
  },
};
