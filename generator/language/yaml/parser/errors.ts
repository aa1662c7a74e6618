import type { ErrorNode, Name } from "../../syntax/tree.ts";
import { errorKeys, keysOf } from "../keys.ts";
import type { YamlEntry, YamlNode } from "../nodes.ts";
import { readDocs } from "./docs.ts";
import { entriesOf, MapReader } from "./entries.ts";
import type { ReadContext } from "./read-context.ts";

/** `errors`: by name, as in `NotFound: { code: 100, message: Not found, status: 404 }`. */
export function readErrors(node: YamlNode, context: ReadContext): ErrorNode[] {
  return entriesOf(node, '"errors"', context).flatMap((entry) => readError(entry, context) ?? []);
}

function readError({ key, value }: YamlEntry, context: ReadContext): ErrorNode | undefined {
  const name = context.name(key, "The name of an error");
  if (name === undefined) return undefined;
  const what = `The error "${name.text}"`;
  if (value.kind !== "map")
    return context.mismatch(value.kind === "nothing" ? key : value, what, "a map with code and message");
  const before = context.diagnostics.length;
  const parts = new MapReader(value, keysOf(errorKeys), `the error "${name.text}"`, context);
  const status = parts.get("status");
  const code = parts.get("code");
  const message = parts.get("message");
  const node = {
    code: code && readNumber(code, "The code of an error", context),
    message: message && context.text(message, `The message of "${name.text}"`),
    httpStatus: status && readNumber(status, "The HTTP status", context),
  };
  if (context.diagnostics.length > before) return undefined;
  for (const part of ["code", "message"] as const)
    if (node[part] === undefined) context.fault("yaml-missing-key", { what, key: part }, key.span);
  if (node.code === undefined || node.message === undefined) return undefined;
  const { message: text, code: number, httpStatus } = node;
  const span = { start: key.span.start, end: value.span.end };
  const error: ErrorNode = { kind: "error", code: number, name, message: text, httpStatus, span };
  readDocs(error, parts.get("docs"), context);
  return error;
}

/** Decimal digits only: `0x10`, `1e3` and `1_000` are rejected, even though YAML reads them as numbers. */
function readNumber(node: YamlNode, what: string, context: ReadContext): Name | undefined {
  const scalar = context.scalar(node, what);
  if (scalar === undefined) return undefined;
  if (!/^[0-9]+$/.test(scalar.text))
    return context.fault("not-a-number", { what, found: scalar.text }, scalar.span);
  return { text: scalar.text, span: scalar.span };
}
