/**
 * Writes `payments.ridl.gz` and `bots.ridl.gz`: the APIs of Stripe and of bots on Telegram with their documentation (both MIT), from the
 * declarations of packages. Run it in a folder with `npm install stripe@23.1.0 @grammyjs/types@5.0.0`: `node extract-types.mjs FOLDER`.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import ts from "typescript";

const packages = join(process.argv[2] ?? ".", "node_modules");
const docsMax = 400;
const fieldDocsMax = 200;
/** Types below requests and responses. */
const levelsMax = 1;

function payments() {
  const folder = join(packages, "stripe/esm/resources");
  const files = readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".d.ts") && !/^(V2|TestHelpers)|index[.]d/.test(name))
    .sort();
  const services = [];
  const printer = new Printer();
  for (const name of files) {
    const source = parsed(join(folder, name));
    const types = typesIn(source);
    for (const one of source.statements)
      if (ts.isClassDeclaration(one) && one.name.text.endsWith("Resource")) {
        const service = name.replace(".d.ts", "").split("/").map(pascal).join("");
        const methods = one.members.filter(
          (member) => ts.isMethodDeclaration(member) && docsOf(member) !== "",
        );
        services.push([service, methods.map((method) => printer.method(service, method, types))]);
      }
  }
  return printer.text(services);
}

function bots() {
  const folder = join(packages, "@grammyjs/types");
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith(".d.ts"))
    .sort()
    .map((name) => parsed(join(folder, name)));
  const types = new Map(sources.flatMap((source) => [...typesIn(source)]));
  const printer = new Printer();
  const methods = types.get("ApiMethods").type.members.filter((one) => ts.isMethodSignature(one));
  return printer.text([["Bot", methods.map((method) => printer.method("Bot", method, types))]]);
}

function parsed(path) {
  return ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
}

/** Interfaces and type aliases by name. */
function typesIn(source) {
  const declarations = source.statements.filter(
    (one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one),
  );
  return new Map(declarations.map((one) => [one.name.text, one]));
}

function docsOf(node) {
  const [first] = ts.getJSDocCommentsAndTags(node);
  return ts.getTextOfJSDocComment(first?.comment) ?? "";
}

/** Prints structs once for each name. */
class Printer {
  #structs = new Map();

  method(service, node, types) {
    const name = pascal(node.name.text);
    const parameters = node.parameters.filter(({ name: { text } }) => text !== "options");
    const request = `${service}${name}Request`;
    const fields = parameters.flatMap((parameter) => {
      const members = membersOf(parameter.type, types);
      return /^(args|params)$/.test(parameter.name.text) && members !== undefined
        ? members
        : [{ name: parameter.name.text, type: parameter.type, docs: "", isOptional: false }];
    });
    this.#add(request, "", fields, types, 0);
    const result = unwrapped(node.type);
    const response = `${service}${name}Response`;
    const named = typeName(result);
    const declared = types.get(named);
    if (declared !== undefined && membersOf(result, types) !== undefined)
      this.#declare(named, declared, types, 0);
    const line = this.#structs.has(named) ? named : response;
    if (line === response)
      this.#add(response, "", [{ name: "result", type: result, docs: "", isOptional: false }], types, 0);
    const isRead = /^(retrieve|list|search|get)/.test(node.name.text);
    return `  # ${clean(docsOf(node), docsMax)}\n${isRead ? "  @readonly\n" : ""}  - ${name}(${request}) => (${line})\n`;
  }

  #declare(name, node, types, level) {
    if (this.#structs.has(name)) return;
    this.#structs.set(name, "");
    this.#add(name, docsOf(node), membersOf(node, types) ?? [], types, level);
  }

  #add(name, docs, fields, types, level) {
    const seen = new Set();
    const lines = fields.flatMap((field) => {
      const own = field.name.replace(/\W/g, "_");
      if (seen.has(own.toLowerCase()) || !/^[a-z]/i.test(own)) return [];
      seen.add(own.toLowerCase());
      const text = clean(field.docs, fieldDocsMax);
      const type = this.#typeText(field.type, types, level);
      return `${text && `  # ${text}\n`}  - ${own}${field.isOptional ? "?" : ""}: ${type}\n`;
    });
    const body = lines.length === 0 ? "  - empty?: bool\n" : lines.join("");
    this.#structs.set(name, `${docs && `# ${clean(docs, docsMax)}\n`}struct ${name}\n${body}`);
  }

  #typeText(node, types, level) {
    if (node === undefined) return "any";
    if (ts.isArrayTypeNode(node)) return `[]${this.#typeText(node.elementType, types, level)}`;
    const kinds = { StringKeyword: "string", NumberKeyword: "int64", BooleanKeyword: "bool" };
    const core = kinds[ts.SyntaxKind[node.kind]];
    if (core !== undefined) return core;
    const name = typeName(node);
    const declared = types.get(name);
    if (declared === undefined || level >= levelsMax || membersOf(declared, types) === undefined)
      return "any";
    this.#declare(name, declared, types, level + 1);
    return name;
  }

  text(services) {
    const printed = services
      .filter(([, methods]) => methods.length > 0)
      .map(([name, methods]) => `service ${name}\n${methods.join("")}`);
    return [...this.#structs.values(), ...printed].join("\n");
  }
}

/** The fields of a type; undefined if it has none. */
function membersOf(node, types) {
  if (node === undefined) return undefined;
  if (ts.isTypeReferenceNode(node)) {
    const declared = types.get(typeName(node));
    return declared === undefined ? undefined : membersOf(declared, types);
  }
  if (ts.isTypeAliasDeclaration(node)) return membersOf(node.type, types);
  if (!ts.isInterfaceDeclaration(node) && !ts.isTypeLiteralNode(node)) return undefined;
  return node.members.filter(ts.isPropertySignature).map((member) => ({
    name: member.name.text ?? "",
    type: member.type,
    docs: docsOf(member),
    isOptional: member.questionToken !== undefined,
  }));
}

function typeName(node) {
  return node !== undefined && ts.isTypeReferenceNode(node) ? node.typeName.getText() : "";
}

/** `Promise<Response<Coupon>>` → `Coupon`. */
function unwrapped(node) {
  const wrappers = ["Promise", "Response", "ApiListPromise", "ApiSearchResultPromise"];
  return node !== undefined && wrappers.includes(typeName(node)) ? unwrapped(node.typeArguments?.[0]) : node;
}

function clean(text, max) {
  return text
    .replace(/<[^>]+>/g, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*#]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, max);
}

function pascal(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function write(name, text) {
  const head = `webrpc = v1\nname = ${name}\nversion = v1.0.0\nbasepath = /rpc\n\n`;
  writeFileSync(new URL(`${name}.ridl.gz`, import.meta.url), gzipSync(head + text, { level: 9 }));
}

write("payments", payments());
write("bots", bots());
