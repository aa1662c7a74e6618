import type { PlainDescriptor } from "./descriptor.ts";

export const nothing: PlainDescriptor = {
  kind: "null",
  shape: "other",
  foreignNames: [],
  description: "`null`",
  json: "null",
  typescript: "null",
  recorded: "text",
  widensTo: {},
  invalid: [],
  isDefault: () => true,
};
