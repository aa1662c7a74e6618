/**
 * Writes `large.ridl.gz`: one API of 2,000 methods with the names, documentation and fields of real ones. Types are one level deep.
 * The texts are those of GitHub (MIT), of the AT protocol (MIT) and of Google Cloud (Apache License 2.0).
 * Run it in a folder with the packages: `npm install @octokit/openapi @atproto/api @google-cloud/aiplatform @google-cloud/dialogflow-cx
 * @google-cloud/container @google-cloud/compute`, then `node extract.mjs FOLDER`.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const count = 2_000;
const fieldsMax = 40;
const packages = join(process.argv[2] ?? ".", "node_modules");

/** A method: `{ service, name, docs, request: [{ name, type, isOptional, docs }], response: [...] }`. */
const methods = [...github(), ...bluesky(), ...google()].slice(0, count);
if (methods.length < count) throw new Error(`there are only ${methods.length} methods`);
writeFileSync(new URL("large.ridl.gz", import.meta.url), gzipSync(printed(methods), { level: 9 }));

for (const source of new Set(methods.map((one) => one.source)))
  console.log(source, methods.filter((one) => one.source === source).length);

/** The operations of GitHub's REST API. */
function github() {
  const file = join(packages, "@octokit/openapi/generated/api.github.com.json");
  const document = JSON.parse(readFileSync(file, "utf8"));
  const resolve = (value) =>
    value?.$ref === undefined
      ? value
      : value.$ref
          .slice(2)
          .split("/")
          .reduce((at, key) => at[key.replace(/~1/g, "/")], document);
  const fieldsOf = (schema, level = 0) => {
    const one = resolve(schema) ?? {};
    if (one.type === "array" && level === 0) return [{ name: "items", type: "[]any", docs: "" }];
    const parts =
      level > 3
        ? []
        : [...(one.allOf ?? []), ...(one.oneOf ?? []).slice(0, 1), ...(one.anyOf ?? []).slice(0, 1)];
    return [
      ...parts.flatMap((part) => fieldsOf(part, level + 1)),
      ...Object.entries(one.properties ?? {}).map(([name, property]) => ({
        name,
        type: typeOf(resolve(property)?.type),
        isOptional: !one.required?.includes(name),
        docs: resolve(property)?.description,
      })),
    ];
  };
  return Object.values(document.paths).flatMap((path) =>
    Object.values(path)
      .filter(({ operationId }) => operationId !== undefined)
      .map(({ operationId, summary, description, parameters = [], requestBody, responses }) => {
        const [service, name] = operationId.split("/");
        const success = resolve(Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1]);
        return {
          source: "github",
          service,
          name,
          docs: [summary, description],
          request: [
            ...parameters.map(resolve).map((one) => ({
              name: one.name,
              type: typeOf(one.schema?.type),
              isOptional: !one.required,
              docs: one.description,
            })),
            ...fieldsOf(resolve(requestBody)?.content?.["application/json"]?.schema),
          ],
          response: fieldsOf(success?.content?.["application/json"]?.schema),
        };
      }),
  );
}

/** The queries and procedures of the AT protocol. */
function bluesky() {
  const require = createRequire(join(packages, "x.js"));
  const { schemas } = require(join(packages, "@atproto/api/dist/client/lexicons.js"));
  const fieldsOf = ({ properties = {}, required = [] } = {}) =>
    Object.entries(properties).map(([name, { type, description }]) => ({
      name,
      type: typeOf(type),
      isOptional: !required.includes(name),
      docs: description,
    }));
  return schemas
    .filter(({ defs: { main } }) => ["query", "procedure"].includes(main?.type))
    .map(({ id, defs: { main } }) => {
      const parts = id.split(".");
      return {
        source: "atproto",
        service: parts.slice(0, -1).join("-"),
        name: parts.at(-1),
        docs: [main.description],
        request: [...fieldsOf(main.parameters), ...fieldsOf(main.input?.schema)],
        response: fieldsOf(main.output?.schema),
      };
    });
}

/** The methods of some services of Google Cloud, from their protobuf files. */
function google() {
  const folders = ["aiplatform/v1", "dialogflow/cx/v3", "container/v1", "compute/v1"];
  const packageOf = { "dialogflow/cx/v3": "dialogflow-cx" };
  return folders.flatMap((folder) => {
    const own = packageOf[folder] ?? folder.split("/")[0];
    const path = join(
      packages,
      "@google-cloud",
      own,
      "build/protos/google/cloud",
      folder.replace("container/v1", "../container/v1"),
    );
    const texts = readdirSync(path)
      .filter((file) => file.endsWith(".proto"))
      .sort()
      .map((file) => readFileSync(join(path, file), "utf8"));
    const messages = new Map(texts.flatMap(messagesOf));
    return texts.flatMap((text) => servicesOf(text, messages));
  });
}

function messagesOf(text) {
  const found = text.matchAll(/^message (\w+) \{\n([\s\S]*?)^\}/gm);
  return Array.from(found, ([, name, body]) => {
    const lines = body.matchAll(/((?:^ {2}\/\/.*\n)*)^ {2}(repeated |optional )?([\w.<>, ]+?) (\w+) = \d+/gm);
    return [
      name,
      Array.from(lines, ([, comment, label = "", type, field]) => ({
        name: field,
        type: (label.startsWith("repeated") ? "[]" : "") + protoType(type),
        isOptional: true,
        docs: commentOf(comment),
      })),
    ];
  });
}

function servicesOf(text, messages) {
  const services = text.matchAll(/^service (\w+) \{\n([\s\S]*?)^\}/gm);
  return Array.from(services, ([, service, body]) => {
    const calls = body.matchAll(
      /((?:^ {2}\/\/.*\n)*)^ {2}rpc (\w+)\(\s*(?:stream )?([\w.]+)\)\s*returns \((?:stream )?([\w.]+)\)/gm,
    );
    return Array.from(calls, ([, comment, name, request, response]) => ({
      source: "google",
      service,
      name,
      docs: [commentOf(comment)],
      request: messages.get(request) ?? [],
      response: messages.get(response.split(".").at(-1)) ?? [],
    }));
  }).flat();
}

function commentOf(comment) {
  return comment.replace(/^ *\/\/ ?/gm, "").split(/\n\s*\n/)[0];
}

function protoType(type) {
  return (
    { string: "string", bool: "bool", int32: "int32", int64: "int64", uint64: "uint64", double: "float64" }[
      type
    ] ?? "any"
  );
}

function typeOf(type) {
  return (
    { string: "string", integer: "int64", number: "float64", boolean: "bool", array: "[]any" }[type] ?? "any"
  );
}

function printed(all) {
  const byService = new Map();
  for (const method of all) {
    const service = pascal(method.service);
    byService.set(service, [...(byService.get(service) ?? []), method]);
  }
  const services = [...byService].map(([service, own]) => {
    const names = new Set();
    const blocks = own.map((method) => {
      let name = pascal(method.name);
      while (names.has(name)) name += "2";
      names.add(name);
      return `${documentation(method.docs, "  ")}  - ${name}(${fields(method.request)}) => (${fields(method.response)})\n`;
    });
    return `service ${service}\n${blocks.join("")}`;
  });
  return `webrpc = v1\n\nname = large\nversion = v1.0.0\nbasepath = /rpc\n\n${services.join("\n")}`;
}

/** The first paragraphs, as one comment. */
function documentation(docs, indent) {
  const text = docs
    .filter(Boolean)
    .map((one) =>
      one
        .split(/\n\s*\n/)[0]
        .replace(/\[([^\]]*)\][([][^)\]]*[)\]]/g, "$1")
        .replace(/^> \[!\w+\]\s*>?|\n>/g, "")
        .replace(/[`*]/g, "")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .map((one) => (/[.!?:]$/.test(one) ? one : `${one}.`))
    .join(" ")
    .slice(0, 400);
  return text === "" ? "" : `${indent}# ${text}\n`;
}

function fields(all) {
  const names = new Map();
  for (const { name, type, isOptional } of all) {
    const own = name.replace(/\W/g, "_");
    if (/^[a-z]\w*$/i.test(own) && !names.has(own.toLowerCase()))
      names.set(own.toLowerCase(), `${own}${isOptional ? "?" : ""}: ${type}`);
  }
  return [...names.values()].slice(0, fieldsMax).join(", ");
}

function pascal(name) {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
