import type { PlainDescriptor } from "./descriptor.ts";

export const anything: PlainDescriptor = {
  kind: "any",
  shape: undefined,
  foreignNames: ["object", "json", "unknown"],
  description: "any JSON value",
  json: "any",
  typescript: "unknown",
  recorded: "hidden",
  widensTo: {},
  invalid: [],
  isDefault: () => true,
};
