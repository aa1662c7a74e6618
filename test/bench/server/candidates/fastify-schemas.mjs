import { answerGetOrders } from "../cases.ts";

const string = { type: "string" };
const address = { type: "string", pattern: "^0x[0-9a-fA-F]{40}$" };

function objectOf(properties, optional = []) {
  return {
    type: "object",
    properties,
    required: Object.keys(properties).filter((key) => !optional.includes(key)),
  };
}

/** The schema of an order from an order: all its fields are required. */
function schemaLike(value) {
  if (Array.isArray(value)) return { type: "array", items: schemaLike(value[0]) };
  if (typeof value !== "object" || value === null) return { type: typeof value };
  return objectOf(Object.fromEntries(Object.entries(value).map(([key, field]) => [key, schemaLike(field)])));
}

const input = objectOf(
  { contractAddress: address, orderId: { ...string, maxLength: 256 }, marketplace: string },
  ["marketplace"],
);

export const schemas = {
  getOrders: {
    body: objectOf({ input: { type: "array", items: input } }),
    response: { 200: schemaLike(answerGetOrders([{ orderId: "0" }])) },
  },
  isValid: {
    body: objectOf({
      chainId: { type: "integer" },
      walletAddress: address,
      message: string,
      signature: string,
    }),
    response: { 200: objectOf({ isValid: { type: "boolean" } }) },
  },
};
