import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import { expect, test } from "vitest";
import { emitFiles } from "../../../generator/codegen/generate.ts";
import { benchSchema } from "../../bench/schema.ts";
import { planOf } from "../../support/sample-plan.ts";

const schemas = new URL("../../../schema/", import.meta.url);

const paths = readdirSync(schemas, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".ridl"),
);
const sources = Object.fromEntries(paths.map((path) => [path, readFileSync(new URL(path, schemas), "utf8")]));
const platform = emitFiles(
  planOf(sources, "platform.ridl", {
    protocolErrors: { "-8": { name: "WebrpcClientDisconnected", message: "client disconnected" } },
  }),
  { targets: ["client"] },
);

/** The contract of `npm run bench -- peers`. Its types refer to random others, so most methods need half of them. */
const bench = emitFiles(planOf({ "bench.ridl": benchSchema({ types: 400, methods: 200 }) }, "bench.ridl"), {
  targets: ["client"],
});

/** The twelve methods of the specification. */
const twelve = `
  export {
    isValidTypedDataSignature, getSwapPrice, getSwapQuote, tokenCollectionFilters, getOrders, listCollectibles, getFloorOrder,
    getHighestPriceOfferForCollectible, listContractSources, getAudience, addWebhookListener, removeWebhookListener,
  } from "./client.ts";
`;

test("one method with typed errors is at most 1.75 KB if its bodies need no conversion", async () => {
  const { text, gzipped } = await bundle('export { ping } from "./client.ts";');
  expect(text).toContain('"Ping"');
  expect(gzipped).toBeLessThanOrEqual(1_755);
});

test("one method whose response has lists and 64-bit integers that may be called by GET is at most 2.77 KB", async () => {
  const { gzipped } = await bundle('export { getOrders } from "./client.ts";');
  expect(gzipped).toBeLessThanOrEqual(2_765);
});

test("the twelve methods, one of them paged, are at most 3.75 KB, and 4.36 KB with retries and results", async () => {
  expect((await bundle(twelve)).gzipped).toBeLessThanOrEqual(3_745);
  const more =
    'export { match, result } from "ridlkit-runtime/client"; export { retries } from "ridlkit-runtime/client";';
  expect((await bundle(twelve + more)).gzipped).toBeLessThanOrEqual(4_355);
});

test("one method whose bodies contain 200 types is at most 4.91 KB, and all 200 methods are 9.8 KB", async () => {
  const one = await bundle('export { get0 } from "./client.ts";', bench);
  expect(one.gzipped).toBeLessThanOrEqual(4_910);
  const all = Array.from({ length: 200 }, (_, index) => `get${index}`).join(", ");
  expect((await bundle(`export { ${all} } from "./client.ts";`, bench)).gzipped).toBeLessThanOrEqual(9_800);
});

test("unused exports add nothing to a bundle", async () => {
  const { text } = await bundle('export { getOrders } from "./client.ts";');
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
  const { text } = await bundle('export { NotFoundError } from "./errors.ts";');
  expect(text).toContain('"NotFound"');
  expect(text).not.toContain("InvalidArgument");
  expect(text).not.toContain("fetch");
});

test("no module of Node is imported", async () => {
  const everything = [...platform.keys()]
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `export * as ${path.replace(/[^a-z]/g, "_")} from "./${path}";`);
  // On the neutral platform, an import of a Node module would not resolve.
  await expect(bundle(everything.join("\n"))).resolves.toBeDefined();
});

async function bundle(entry: string, contract = platform): Promise<{ text: string; gzipped: number }> {
  const { outputFiles } = await build({
    stdin: {
      contents: entry,
      resolveDir: "/",
      loader: "ts",
    },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    write: false,
    plugins: [writtenFiles(contract)],
  });
  const text = outputFiles[0]?.text ?? "";
  return { text, gzipped: gzipSync(text, { level: 9 }).length };
}

/** Resolves generated files, which exist only in memory. */
function writtenFiles(files: ReadonlyMap<string, string>): Plugin {
  return {
    name: "written-files",
    setup(build) {
      const runtime = fileURLToPath(new URL("../../../generator/runtime/src/", import.meta.url));
      build.onResolve({ filter: /^ridlkit-runtime\// }, ({ path }) => ({
        path: `${runtime}${posix.basename(path)}.ts`,
        sideEffects: false,
      }));
      build.onResolve({ filter: /^\./ }, ({ path, importer, namespace }) =>
        namespace === "file" && importer.startsWith(runtime)
          ? undefined
          : {
              path: posix.join(namespace === "written" ? posix.dirname(importer) : "", path),
              namespace: "written",
            },
      );
      build.onLoad({ filter: /./, namespace: "written" }, ({ path }) => ({
        contents: files.get(path) ?? "",
        loader: "ts",
        ...(files.has(path) ? {} : { errors: [{ text: `nothing written ${path}` }] }),
      }));
    },
  };
}
