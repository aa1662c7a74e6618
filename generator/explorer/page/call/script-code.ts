/** Prints the call in Python with requests, and in Go with its standard library. */
import type { JsonNode } from "../json/node.ts";
import type { ClientCall } from "./code.ts";
import type { KeyInfo } from "./host-info.ts";
import { type CallRequest, headersOf } from "./request.ts";

const shortcuts: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export function pythonCode({ request, body, keys }: ClientCall, isStream: boolean): string {
  const { url, path, verb, files } = request;
  // `json` sets the type of the content.
  const headers = headersOf(request, keys).filter(({ name }) => name !== "content-type");
  const isSecret = headers.some(({ secret }) => secret !== undefined);
  const lines = headers.map(({ name, text, secret }) => {
    const value =
      secret === undefined
        ? JSON.stringify(text)
        : `${JSON.stringify(secret.prefix)} + os.environ["${secret.variable}"]`;
    return `        ${JSON.stringify(name)}: ${value},\n`;
  });
  const parts = [
    `    ${JSON.stringify(url + path)},\n`,
    ...(lines.length === 0 ? [] : [`    headers={\n${lines.join("")}    },\n`]),
    ...(request.body === undefined || files !== undefined
      ? []
      : [`    json=${pythonLiteral(body, "    ")},\n`]),
    ...(files === undefined ? [] : [pythonForm(request.body ?? "{}", files)]),
    ...(isStream ? ["    stream=True,\n"] : []),
  ];
  const call = shortcuts.includes(verb)
    ? `requests.${verb.toLowerCase()}(\n`
    : `requests.request(\n    ${JSON.stringify(verb)},\n`;
  const use = isStream
    ? "for line in response.iter_lines():\n    if line:\n        print(line.decode())\n"
    : "print(response.text)\n";
  return `${isSecret ? "import os\n\n" : ""}import requests\n\nresponse = ${call}${parts.join("")})\n${use}`;
}

/** A part without a file keeps the form a form if no file was chosen. */
function pythonForm(body: string, files: NonNullable<CallRequest["files"]>): string {
  const parts = [
    `("json", (None, ${JSON.stringify(body)}))`,
    ...files.map(({ name, file }) => `(${JSON.stringify(name)}, open(${JSON.stringify(file.name)}, "rb"))`),
  ];
  return `    files=[\n${parts.map((part) => `        ${part},\n`).join("")}    ],\n`;
}

const literals: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };

/** Python's integers have any size, so no digit is lost. */
function pythonLiteral(node: JsonNode, indent: string): string {
  if (node.kind === "string") return JSON.stringify(node.value);
  if ("text" in node) return literals[node.text] ?? node.text;
  const inner = `${indent}    `;
  const [open, close] = node.kind === "array" ? "[]" : "{}";
  const parts =
    node.kind === "array"
      ? node.items.map((item) => pythonLiteral(item, inner))
      : node.entries.map(([key, value]) => `${JSON.stringify(key)}: ${pythonLiteral(value, inner)}`);
  const line = `${open}${parts.join(", ")}${close}`;
  if (line.length <= 60 && !line.includes("\n")) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}

/** Not for forms with files, which need many more lines. */
export function goCode(request: CallRequest, keys: readonly KeyInfo[]): string {
  const { url, path, verb, body } = request;
  const headers = headersOf(request, keys);
  const imports = ["io", "net/http", "os", ...(body === undefined ? [] : ["strings"])];
  const lines = headers.map(({ name, text, secret }) => {
    const value =
      secret === undefined
        ? JSON.stringify(text)
        : `${JSON.stringify(secret.prefix)}+os.Getenv("${secret.variable}")`;
    return `\treq.Header.Set(${JSON.stringify(name)}, ${value})\n`;
  });
  const sent = body === undefined ? "nil" : `strings.NewReader(${goText(body)})`;
  return `package main

import (
${imports.map((name) => `\t"${name}"\n`).join("")})

func main() {
\treq, err := http.NewRequest("${verb}", ${JSON.stringify(url + path)}, ${sent})
\tif err != nil {
\t\tpanic(err)
\t}
${lines.join("")}\tres, err := http.DefaultClient.Do(req)
\tif err != nil {
\t\tpanic(err)
\t}
\tdefer res.Body.Close()
\tio.Copy(os.Stdout, res.Body)
}
`;
}

function goText(text: string): string {
  return text.includes("`") ? JSON.stringify(text) : `\`${text}\``;
}
