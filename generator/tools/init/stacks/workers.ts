import { devScripts, memoryTest, nodeCompiler, nodePackages, type Stack } from "./shared.ts";

export const workers: Stack = {
  title: "Cloudflare Workers",
  recognizedBy: ["wrangler", "@cloudflare/workers-types"],
  adapter: "fetch",
  importExtension: ".ts",
  isModule: true,
  scripts: {
    ...devScripts,
    start: "ridlkit generate && wrangler dev",
    deploy: "ridlkit generate && wrangler deploy",
    test: "ridlkit generate && tsx --test test/*.test.ts",
  },
  dependencies: {},
  devDependencies: { ...nodePackages, wrangler: "^4.0.0" },
  compiler: nodeCompiler,
  ignored: ["node_modules/", ".wrangler/"],
  files: {
    "main.ts": `import { fetchHandler } from "ridlkit-runtime/fetch";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers/handlers.ts";

export default { fetch: fetchHandler(createServer(handlers)) };
`,
    "wrangler.json": `{
  "name": "hello",
  "main": "main.ts",
  "compatibility_date": "2026-01-01"
}
`,
    "test/Greet.test.ts": memoryTest(".ts"),
  },
};
