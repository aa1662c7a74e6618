import type { PlainDescriptor } from "./descriptor.ts";

export const bool: PlainDescriptor = {
  kind: "boolean",
  shape: "boolean",
  foreignNames: ["boolean"],
  description: "`true` or `false`",
  json: "boolean",
  typescript: "boolean",
  recorded: "truth",
  widensTo: {},
  invalid: [["maybe", "is not a boolean"]],
  isDefault: (text) => text === "true" || text === "false",
};
