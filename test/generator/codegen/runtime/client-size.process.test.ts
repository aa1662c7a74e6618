import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import { describe, expect, test } from "vitest";
import { emitFiles } from "../../../../generator/codegen/generate.ts";
import { type Layout, writtenPath } from "../../../../generator/codegen/plan/layout.ts";
import type { Plan } from "../../../../generator/codegen/plan/plan.ts";
import { benchSchema } from "../../../bench/schema.ts";
import { planOf } from "../../../support/sample-plan.ts";

const schemas = new URL("../../../../schema/", import.meta.url);

const paths = readdirSync(schemas, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".ridl"),
);
const sources = Object.fromEntries(paths.map((path) => [path, readFileSync(new URL(path, schemas), "utf8")]));
const platform = written(
  planOf(sources, "platform.ridl", {
    "-8": { name: "WebrpcClientDisconnected", message: "client disconnected" },
  }),
);

/** The contract of `npm run bench -- peers`. Its types refer to random others, so most methods need half of them. */
const bench = written(planOf({ "bench.ridl": benchSchema({ types: 400, methods: 200 }) }, "bench.ridl"));

/** The twelve methods of the specification. */
const twelve = `
  export { isValidTypedDataSignature, getSwapPrice, getSwapQuote } from "./client/api.ts";
  export { tokenCollectionFilters } from "./client/metadata.ts";
  export { getOrders, listCollectibles, getFloorOrder, getHighestPriceOfferForCollectible } from "./client/marketplace.ts";
  export { listContractSources, getAudience } from "./client/builder.ts";
  export { addWebhookListener, removeWebhookListener } from "./client/indexer.ts";
`;

describe.each(["single", "services"] as const)("layout %s", (layout) => {
  test("one method with typed errors is at most 1.5 KB if its bodies need no conversion", async () => {
    // In one file, functions of equally named methods have the name of their service.
    const name = layout === "single" ? "marketplacePing" : "ping";
    const { text, gzipped } = await bundle(layout, `export { ${name} } from "./client/marketplace.ts";`);
    expect(text).toContain('"Ping"');
    expect(gzipped).toBeLessThanOrEqual(1_500);
  });

  test("one method whose response has lists and 64-bit integers that may be called by GET is at most 2.09 KB", async () => {
    const { gzipped } = await bundle(layout, 'export { getOrders } from "./client/marketplace.ts";');
    expect(gzipped).toBeLessThanOrEqual(2_090);
  });

  test("the twelve methods, one of them paged, are at most 3.1 KB, and 3.6 KB with retries and results", async () => {
    expect((await bundle(layout, twelve)).gzipped).toBeLessThanOrEqual(3_100);
    const more =
      'export { match, result } from "./runtime/v1/client.ts"; export { retries } from "./runtime/v1/client.ts";';
    expect((await bundle(layout, twelve + more)).gzipped).toBeLessThanOrEqual(3_600);
  });

  test("one method whose bodies contain 200 types is at most 4.28 KB, and all 200 methods are 11.47 KB", async () => {
    const one = await bundle(layout, 'export { get0 } from "./client/service0.ts";', bench);
    expect(one.gzipped).toBeLessThanOrEqual(4_280);
    const services = [0, 1, 2, 3].map((index) => `export * from "./client/service${index}.ts";`);
    expect((await bundle(layout, services.join("\n"), bench)).gzipped).toBeLessThanOrEqual(11_470);
  });

  test("unused exports add nothing to a bundle", async () => {
    const { text } = await bundle(layout, 'export { getOrders } from "./client/marketplace.ts";');
    expect(text).toContain("GetOrders");
    const absent = [
      "ListCollectibles",
      "Ping",
      "InvalidArgument",
      "NotFound",
      "hasInstance",
      "Math.random",
      "BigInt",
      "MaxBytes",
      "memory",
    ];
    for (const word of absent) expect(text).not.toContain(word);
  });

  test("an imported class includes no other", async () => {
    const { text } = await bundle(layout, 'export { NotFoundError } from "./errors.ts";');
    expect(text).toContain('"NotFound"');
    expect(text).not.toContain("InvalidArgument");
    expect(text).not.toContain("fetch");
  });

  test("no module of Node is imported", async () => {
    const everything = [...platform[layout].keys()]
      .filter((path) => path.endsWith(".ts"))
      .map((path) => `export * as ${path.replace(/[^a-z]/g, "_")} from "./${path}";`);
    // On the neutral platform, an import of a Node module would not resolve.
    await expect(bundle(layout, everything.join("\n"))).resolves.toBeDefined();
  });
});

/** The generated files of a contract. */
type Written = Readonly<Record<Layout, ReadonlyMap<string, string>>>;

function written(plan: Plan): Written {
  return {
    services: emitFiles(plan, { targets: ["client"] }),
    single: emitFiles({ ...plan, layout: "single" }, { targets: ["client"] }),
  };
}

async function bundle(
  layout: Layout,
  entry: string,
  contract = platform,
): Promise<{ text: string; gzipped: number }> {
  const { outputFiles } = await build({
    stdin: {
      contents: entry.replaceAll(/"\.\/([^"]+)"/g, (_, path: string) => `"./${writtenPath(path, layout)}"`),
      resolveDir: "/",
      loader: "ts",
    },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    write: false,
    plugins: [writtenFiles(contract[layout])],
  });
  const text = outputFiles[0]?.text ?? "";
  return { text, gzipped: gzipSync(text, { level: 9 }).length };
}

/** Resolves generated files, which exist only in memory. */
function writtenFiles(files: ReadonlyMap<string, string>): Plugin {
  return {
    name: "written-files",
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path, importer, namespace }) => ({
        path: posix.join(namespace === "written" ? posix.dirname(importer) : "", path),
        namespace: "written",
      }));
      build.onLoad({ filter: /./, namespace: "written" }, ({ path }) => ({
        contents: files.get(path) ?? "",
        loader: "ts",
        ...(files.has(path) ? {} : { errors: [{ text: `nothing written ${path}` }] }),
      }));
    },
  };
}
