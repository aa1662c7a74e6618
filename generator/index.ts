export { type Config, defineConfig, type SchemaConfig } from "./tools/config/config.ts";
