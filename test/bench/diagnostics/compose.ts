import type { Random } from "../../support/random.ts";
import type { Domain } from "./domains.ts";
import type { Schema } from "./schema.ts";

/** Layout of a schema, varied as between authors. */
interface Hand {
  /** Indentation of fields and methods. */
  readonly indent: string;
  /** Indentation of meta lines. */
  readonly metaIndent: string;
  readonly succinct: boolean;
  readonly comments: boolean;
  readonly split: boolean;
}

/** Builds the schema of a domain: enums, aliases, structs, errors and one service, in one file or three. */
export function composeSchema(domain: Domain, variant: number, random: Random): Schema {
  const indent = random.pick(["  ", " ", "    ", "\t"]);
  const hand: Hand = {
    indent,
    metaIndent: indent + indent,
    succinct: random.chance(50),
    comments: random.chance(70),
    split: variant % 3 === 2,
  };
  const name = `${domain.name}-${variant}`;
  const types = typeLines(domain, hand, random);
  const errors = errorLines(domain, hand);
  const service = serviceLines(domain, hand, random);
  const head = ["webrpc = v1", `name = ${domain.name}`, "version = v1.0.0", "basepath = /rpc", ""];
  if (!hand.split) {
    return {
      name,
      entry: "api.ridl",
      files: { "api.ridl": joined([...head, ...types, ...errors, ...service]) },
    };
  }
  const small = ["webrpc = v1", "version = v1.0.0", ""];
  const imports = ["import", `${indent}- types/${domain.name}.ridl`, `${indent}- errors.ridl`, ""];
  return {
    name,
    entry: "api.ridl",
    files: {
      "api.ridl": joined([...head, ...imports, ...service]),
      [`types/${domain.name}.ridl`]: joined([...small, ...types]),
      "errors.ridl": joined([...small, ...errors]),
    },
  };
}

function joined(lines: readonly string[]): string {
  return `${lines.join("\n").trimEnd()}\n`;
}

function typeLines({ enums, aliases, entities }: Domain, hand: Hand, random: Random): string[] {
  return [
    ...enums.flatMap((line) => {
      const [head = "", ...values] = line.split(" ");
      const [name, base = ""] = head.split(":");
      const isNumbered = base !== "string" && random.chance(50);
      const items = values.map(
        (value, index) => `${hand.indent}- ${value}${isNumbered ? ` = ${index + 1}` : ""}`,
      );
      return [...comment(hand, `How ${name} is told.`), `enum ${name}: ${base}`, ...items, ""];
    }),
    ...aliases.flatMap((line) => {
      const [name, type = ""] = line.split(":");
      const meta = type === "string" ? [`${hand.indent}+ maxLength = ${20 + random.below(40)}`] : [];
      return [`type ${name}: ${type}`, ...meta, ""];
    }),
    ...entities.flatMap((line) => structLines(line, hand, random)),
  ];
}

function structLines(line: string, hand: Hand, random: Random): string[] {
  const [name = "", ...fields] = line.split(" ");
  const lines = fields.flatMap((field) => {
    const [key = "", type = ""] = field.split(":");
    const plain = key.replace("?", "");
    const meta = random.chance(25) ? [`${hand.metaIndent}+ json = ${snake(plain)}`] : [];
    if (type === "string" && random.chance(30)) meta.push(`${hand.metaIndent}+ minLength = 1`);
    if (/^u?int\d*$/.test(type) && random.chance(30)) meta.push(`${hand.metaIndent}+ minimum = 1`);
    const above = random.chance(20)
      ? comment(hand, `The ${plain} of it.`).map((each) => hand.indent + each)
      : [];
    return [...above, `${hand.indent}- ${key}: ${type}`, ...meta];
  });
  return [...comment(hand, `One ${name}.`), `struct ${name}`, ...lines, ""];
}

function snake(name: string): string {
  return `${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_`;
}

function errorLines({ errors }: Domain, hand: Hand): string[] {
  const lines = errors.map((line, index) => {
    const [name = "", ...words] = line.split(" ");
    return `error ${100 + index * 10} ${name} "${words.join(" ")}"${index === 1 ? "" : ` HTTP ${404 + index}`}`;
  });
  return [...comment(hand, "What can go wrong."), ...lines, ""];
}

function serviceLines({ name, entities, errors, enums }: Domain, hand: Hand, random: Random): string[] {
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}Desk`;
  const known = errors.map((line) => line.split(" ")[0] ?? "");
  const kind = enums[0]?.split(":")[0] ?? "";
  const structs: string[] = [];
  const methods = entities.flatMap((line, index) => {
    const entity = line.split(" ")[0] ?? "";
    const clause = ` errors ${known.slice(0, 1 + (index % known.length)).join(" | ")}`;
    const note = random.chance(40)
      ? [`${hand.indent}@internal${random.chance(50) ? ' @auth:"key,jwt"' : ""}`]
      : [];
    if (hand.succinct && index % 2 === 0) {
      structs.push(
        `struct Find${entity}Request`,
        `${hand.indent}- id: uint64`,
        `${hand.indent}- kinds: []${kind}`,
        "",
      );
      structs.push(
        `struct Find${entity}Response`,
        `${hand.indent}- found?: ${entity}`,
        `${hand.indent}- more: bool`,
        "",
      );
      return [
        ...note,
        `${hand.indent}- Find${entity}(Find${entity}Request) => (Find${entity}Response)${clause}`,
        "",
      ];
    }
    const above = comment(hand, `Answers one ${entity}.`).map((each) => hand.indent + each);
    return [
      ...above,
      ...note,
      `${hand.indent}- Get${entity}(id: uint64, kind?: ${kind}) => (${entity.toLowerCase()}: ${entity})${index % 2 === 0 ? clause : ""}`,
      `${hand.indent}- List${entity}Entries(filter: map<string,[]string>, limit: uint32) => (entries: []${entity}, next?: string)`,
    ];
  });
  return [...structs, ...comment(hand, `The ${name} service.`), `service ${title}`, ...methods];
}

function comment(hand: Hand, text: string): string[] {
  return hand.comments ? [`# ${text}`] : [];
}
