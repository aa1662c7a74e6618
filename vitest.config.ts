import { defineConfig, type ViteUserConfig } from "vitest/config";
import { vitestTemplates } from "./generator/emit/precompile.mjs";

const config: ViteUserConfig = defineConfig({
  plugins: [vitestTemplates],
  define: { RIDLKIT_VERSION: JSON.stringify("0.0.0-test"), RIDLKIT_BUILD: JSON.stringify("test") },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["./test/support/global-setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default", "./test/support/tally-reporter.ts"],
  },
});

export default config;
