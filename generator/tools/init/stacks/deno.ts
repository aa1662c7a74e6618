import { compilerOptions, devScripts, memoryTest, nodeIgnored, type Stack, typescript } from "./shared.ts";

export const deno: Stack = {
  title: "Deno",
  recognizedBy: ["deno"],
  adapter: "fetch",
  importExtension: ".ts",
  isModule: true,
  scripts: {
    ...devScripts,
    start: "deno run --allow-net --allow-env=PORT main.ts",
    test: "ridlkit generate && deno test",
  },
  dependencies: {},
  devDependencies: { "@types/node": "^20.0.0", ...typescript },
  // Only `deno check` knows Deno's types, so tsc does not check main.ts and the tests.
  compiler: compilerOptions([], ["handlers", "generated"]),
  ignored: nodeIgnored,
  setupAction: "denoland/setup-deno@v2",
  files: {
    "main.ts": `import { fetchHandler } from "ridlkit-runtime/fetch";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers/handlers.ts";

const port = Number(Deno.env.get("PORT") ?? 3000);
Deno.serve({ port }, fetchHandler(createServer(handlers)));
`,
    "test/Greet.test.ts": memoryTest(".ts", "const { test } = Deno;\n"),
  },
};
