/** A call as code of one language. */
import { type ClientCall, clientCode, fetchCode, queryCode } from "../call/code.ts";
import { goCode, pythonCode } from "../call/script-code.ts";
import type { Schema, ServiceMethod } from "../schema/ir.ts";
import type { Language } from "./code-colors.tsx";
import { Code } from "./parts.tsx";

export type CodeName = keyof typeof printers;

interface CallCodeProps {
  readonly name: CodeName;
  readonly title: string;
  readonly schema: Schema;
  readonly found: ServiceMethod;
  readonly call: ClientCall;
}

export function CallCode({ name, title, ...printed }: CallCodeProps) {
  const [language, print] = printers[name];
  return <Code text={print(printed)} label={`${title} code`} language={language} />;
}

type Printed = Omit<CallCodeProps, "name" | "title">;

const printers = {
  client: ["typescript", ({ schema, found, call }) => clientCode(schema, found, call)],
  query: ["typescript", ({ schema, found, call }) => queryCode(schema, found, call)],
  fetch: ["typescript", ({ call: { request, keys } }) => fetchCode(request, keys)],
  python: ["python", ({ found, call }) => pythonCode(call, found.method.streamOutput === true)],
  go: ["go", ({ call: { request, keys } }) => goCode(request, keys)],
} satisfies Readonly<Record<string, readonly [Language, (printed: Printed) => string]>>;
