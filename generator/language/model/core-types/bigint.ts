import type { BigintDescriptor } from "./descriptor.ts";

const edges = ["0", "9007199254740993", "-123456789012345678901234567890", "1"] as const;

export const bigint: BigintDescriptor = {
  kind: "bigint",
  shape: "number",
  foreignNames: ["bignum"],
  description: 'decimal digits as text: `"123456789012345678901234567890"`',
  json: "string /* digits */",
  typescript: "bigint",
  recorded: "number",
  widensTo: { text: "response" },
  invalid: [
    ["1.5", "is not an integer"],
    ["", "is empty"],
  ],
  isDefault: (text) => /^-?[0-9]+$/.test(text),
  edges: { request: [...edges, 42], response: edges },
};
