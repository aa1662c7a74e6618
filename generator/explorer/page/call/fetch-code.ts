/** Prints the call as JavaScript that needs no generated code. */
import type { KeyInfo } from "./host-info.ts";
import { type CallRequest, variableOf } from "./request.ts";

/** Undefined for a form with files, and for streams: both need more than one call of `fetch`. */
export function fetchCode(
  { url, path, verb, headers, body, files }: CallRequest,
  keys: readonly KeyInfo[],
): string | undefined {
  if (files !== undefined) return undefined;
  const lines = Object.entries(headers).map(([name, text]) => {
    const key = keys.find(({ isSecret, header }) => isSecret === true && header.toLowerCase() === name);
    const value = key === undefined ? JSON.stringify(text) : `\`${key.prefix ?? ""}\${${variableOf(key)}}\``;
    return `    ${JSON.stringify(name)}: ${value},\n`;
  });
  const parts = [
    `  method: ${JSON.stringify(verb)},\n`,
    ...(lines.length === 0 ? [] : [`  headers: {\n${lines.join("")}  },\n`]),
    // As text, because JSON.stringify would not keep every digit of large integers.
    ...(body === undefined ? [] : [`  body: ${JSON.stringify(body)},\n`]),
  ];
  return `const response = await fetch(${JSON.stringify(url + path)}, {\n${parts.join("")}});\nconst result = await response.json();\n`;
}
