import type { Plugin as EsbuildPlugin } from "esbuild";
import type { Plugin } from "vitest/config";

export declare const esbuildTemplates: EsbuildPlugin;
export declare const vitestTemplates: Plugin;
