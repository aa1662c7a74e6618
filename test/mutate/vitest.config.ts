import { fileURLToPath } from "node:url";
import type { ViteUserConfig } from "vitest/config";
import config from "../../vitest.config.ts";

const { projects = [], ...shared } = config.test ?? {};
const unit = projects.find(
  (each) => typeof each === "object" && "test" in each && each.test?.name === "unit",
);

/** The unit tests alone: they run again for each mutant. */
const unitConfig: ViteUserConfig = {
  ...config,
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    ...shared,
    ...(typeof unit === "object" && "test" in unit ? unit.test : {}),
    globalSetup: [],
    reporters: [],
    // With modules that an earlier run has loaded or cached, a planted fault would have no effect.
    isolate: true,
    experimental: { fsModuleCache: false },
  },
};

export default unitConfig;
