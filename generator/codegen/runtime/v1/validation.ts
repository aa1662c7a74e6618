/**
 * What generated validators stand on; they import this file as `v`. The way of a value that is fine allocates nothing but the
 * key list of a map: paths and descriptions are made only once a fault was found.
 */
export * from "./date.ts";
export type { Issues } from "./issue.ts";
export * from "./validation-any.ts";
export * from "./validation-decode.ts";
export * from "./validation-faults.ts";
export * from "./validation-object.ts";
export * from "./validation-text.ts";
export * from "./validation-timestamp.ts";
export * from "./validation-write.ts";
