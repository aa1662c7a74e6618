import type { PlainDescriptor } from "./descriptor.ts";

export const string: PlainDescriptor = {
  kind: "text",
  shape: "text",
  foreignNames: ["str", "text", "varchar", "char", "uuid"],
  description: "text",
  json: "string",
  typescript: "string",
  recorded: "text",
  widensTo: {},
  invalid: [],
  isDefault: () => true,
};
