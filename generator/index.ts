export { type Config, defineConfig, type SchemaConfig } from "./config/config.ts";
