/** The contract of schema.ridl, as people write it for Fastify. */
import { answerGetOrders } from "../cases.ts";

const string = { type: "string" };
const integer = { type: "integer" };
const address = { type: "string", pattern: "^0x[0-9a-fA-F]{40}$" };
const time = { type: "string", format: "date-time" };

function objectOf(properties, optional = []) {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: "object", properties, required };
}

/** Infers a schema from a sample value: all of its fields are required. */
function schemaLike(value) {
  if (Array.isArray(value)) return { type: "array", items: schemaLike(value[0]) };
  if (typeof value === "object") {
    return objectOf(
      Object.fromEntries(Object.entries(value).map(([key, field]) => [key, schemaLike(field)])),
    );
  }
  if (typeof value === "number") return Number.isInteger(value) ? integer : { type: "number" };
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return time;
  return string;
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
    body: objectOf({ chainId: integer, walletAddress: address, message: string, signature: string }),
    response: { 200: objectOf({ isValid: { type: "boolean" } }) },
  },
};
