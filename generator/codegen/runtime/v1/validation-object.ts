/** The fields of a JSON object. */
export type Fields = Record<string, unknown>;

/** Whether a value is a JSON object, not a list. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
