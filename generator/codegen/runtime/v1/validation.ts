/**
 * Functions for generated validators, which import this file as `v`. A valid value causes no allocations except the key
 * lists of maps: paths and descriptions are only created for faults.
 */
export * from "./date.ts";
export type { Issues } from "./issue.ts";
export * from "./standard-schema.ts";
export * from "./validation-alias.ts";
export * from "./validation-any.ts";
export * from "./validation-decode.ts";
export * from "./validation-depth.ts";
export * from "./validation-description.ts";
export * from "./validation-faults.ts";
export * from "./validation-items.ts";
export * from "./validation-object.ts";
export * from "./validation-property.ts";
export * from "./validation-secret.ts";
export * from "./validation-text.ts";
export * from "./validation-timestamp.ts";
export * from "./validation-write.ts";
