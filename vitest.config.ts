import { availableParallelism } from "node:os";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import type { VitestPluginContext } from "vitest/node";
import { buildTimeFiles } from "./generator/codegen/emit/precompile.mjs";

// Node 20 reads these certificates at each start, which can take 50 ms. Tests connect to this machine only.
delete process.env["NODE_EXTRA_CA_CERTS"];

/** Migrations come as texts, as in the bundle. */
const sqlTexts = {
  name: "sql-texts",
  transform: (code: string, id: string) =>
    id.endsWith(".sql") ? `export default ${JSON.stringify(code)}` : undefined,
};

/** Transformed TypeScript is kept for later runs. Other modules may depend on more than their own text. */
const typeScriptCache = {
  name: "typescript-cache",
  configureVitest({ experimental_defineCacheKeyGenerator: defineKey }: VitestPluginContext) {
    defineKey(({ id }) => (/[.]tsx?$/.test(id) ? undefined : false));
  },
};

/** Timeouts end tests that hang. Processes take a multiple of their usual time on a busy machine. */
const patient = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };

const config: ViteUserConfig = defineConfig({
  resolve: {
    // Tests run the sources of the package, and generated code imports the same modules.
    alias: [
      { find: /^ridlkit-runtime\/(.+)$/, replacement: `${import.meta.dirname}/generator/runtime/src/$1.ts` },
    ],
  },
  plugins: [buildTimeFiles, sqlTexts, typeScriptCache],
  define: { RIDLKIT_VERSION: JSON.stringify("0.0.0-test") },
  test: {
    globalSetup: ["./test/support/global-setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // On a busy machine, results come late. The default of one second is far too short.
    expect: { poll: { timeout: 30_000 } },
    experimental: { fsModuleCache: true },
    // A worker loads modules once, and not once for each file.
    isolate: false,
    // Most tests wait for processes of their own, so on a small machine six run side by side.
    maxWorkers: Math.max(6, availableParallelism() - 1),
    reporters: ["default", "./test/support/tally-reporter.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [
            "**/node_modules/**",
            // Run in projects of their own, by recipes.process.test.ts.
            "test/stacks/recipes/**",
            // Projects that tests create, and that a stopped run leaves.
            "test/stacks/.made/**",
            "test/**/*.process.test.ts",
            "test/**/*.chain.test.ts",
          ],
          setupFiles: ["./test/support/no-processes.ts"],
          pool: "threads",
        },
      },
      { extends: true, test: { name: "process", include: ["test/**/*.process.test.ts"], ...patient } },
      { extends: true, test: { name: "chain", include: ["test/**/*.chain.test.ts"], ...patient } },
    ],
  },
});

export default config;
