import type { ErrorNode, Name } from "../../syntax/tree.ts";
import { errorKeys, keysOf } from "../keys.ts";
import type { YamlEntry, YamlNode } from "../nodes.ts";
import { readDocs } from "./docs.ts";
import { entriesOf, Parts } from "./entries.ts";
import type { Reading } from "./reading.ts";

/** `errors`: by name, as `NotFound: { code: 100, message: Not found, status: 404 }`. */
export function readErrors(node: YamlNode, reading: Reading): ErrorNode[] {
  return entriesOf(node, '"errors"', reading).flatMap((entry) => readError(entry, reading) ?? []);
}

function readError({ key, value }: YamlEntry, reading: Reading): ErrorNode | undefined {
  const name = reading.name(key, "The name of an error");
  if (name === undefined) return undefined;
  const what = `The error "${name.text}"`;
  if (value.kind !== "map")
    return reading.mismatch(value.kind === "nothing" ? key : value, what, "a map with code and message");
  const before = reading.diagnostics.length;
  const parts = new Parts(value, keysOf(errorKeys), `the error "${name.text}"`, reading);
  const status = parts.get("status");
  const code = parts.get("code");
  const message = parts.get("message");
  const node = {
    code: code && readNumber(code, "The code of an error", reading),
    message: message && reading.text(message, `The message of "${name.text}"`),
    httpStatus: status && readNumber(status, "The HTTP status", reading),
  };
  if (reading.diagnostics.length > before) return undefined;
  for (const part of ["code", "message"] as const)
    if (node[part] === undefined) reading.fault("yaml-missing-key", { what, key: part }, key.span);
  if (node.code === undefined || node.message === undefined) return undefined;
  const { message: text, code: number, httpStatus } = node;
  const span = { start: key.span.start, end: value.span.end };
  const error: ErrorNode = { kind: "error", code: number, name, message: text, httpStatus, span };
  readDocs(error, parts.get("docs"), reading);
  return error;
}

/** Digits, however YAML would read them: `0x10`, `1e3` and `1_000` are no numbers here. */
function readNumber(node: YamlNode, what: string, reading: Reading): Name | undefined {
  const scalar = reading.scalar(node, what);
  if (scalar === undefined) return undefined;
  if (!/^[0-9]+$/.test(scalar.text))
    return reading.fault("not-a-number", { what, found: scalar.text }, scalar.span);
  return { text: scalar.text, span: scalar.span };
}
