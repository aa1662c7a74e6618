/**
 * JSON that keeps its text. Values are parsed for the rules of the protocol, while the text is what people typed and what
 * the server sent: with every digit, in the same order.
 */
import { parseInt64Json, printInt64Json } from "../../runtime/src/json.ts";

const texts = new WeakMap<object, string>();

export function parseExact(text: string): unknown {
  const value = parseInt64Json(text);
  if (typeof value === "object" && value !== null) texts.set(value, text);
  return value;
}

/** Prints a value as the text that it was parsed from. A value that was changed or created is printed like any other. */
export function printExact(value: unknown): string {
  const text = typeof value === "object" && value !== null ? texts.get(value) : undefined;
  return text ?? printInt64Json(value);
}

/** Returns a request that is sent as this text, even if the text is not a JSON object. */
export function requestOf(text: string): object {
  const value = parsed(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  const request = {};
  texts.set(request, text);
  return request;
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
