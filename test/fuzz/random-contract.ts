import type { Random } from "../support/random.ts";

/**
 * A contract in which every rule of validation may meet every other: one method, whose request and response hold the same types.
 * Patterns of text that accepts integers take any integer without a sign, because JSON Schema cannot be more precise.
 */
export function randomContract(random: Random): string {
  const writer = new ContractWriter(random);
  return writer.text();
}

const fieldNames = "id name chainId createdAt tags next kind amount image_data a_1 B constructor".split(" ");

class ContractWriter {
  readonly #random: Random;
  readonly #structs: readonly string[];
  readonly #aliases: readonly string[];

  constructor(random: Random) {
    this.#random = random;
    this.#structs = ["Page", "Order", "Node", "Item"].slice(0, 1 + random.below(4));
    this.#aliases = ["Address", "Amount", "Count", "Flag", "Ratio", "Word", "Names", "Table"].slice(
      0,
      2 + random.below(7),
    );
  }

  text(): string {
    return [
      "webrpc = v1\nname = random\nversion = v1\nbasepath = /rpc\n",
      "enum Side: uint8\n  - none\n  - listing = 5\n  - offer\n",
      "enum Status: string\n  - active\n  - gone = was-gone\n",
      ...this.#aliases.map((name) => this.#alias(name)),
      ...[...this.#structs, "Request", "Answer"].map((name) => this.#struct(name)),
      "service Random\n  - Try(Request) => (Answer)\n",
    ].join("\n");
  }

  #alias(name: string): string {
    const byName: Readonly<Record<string, () => readonly string[]>> = {
      Address: () => ["string", 'pattern = "^0x[0-9a-fA-F]{6}$"', "normalize = lowercase"],
      Amount: () => ["string", "accepts = string,integer", 'pattern = "^(0|[1-9][0-9]{0,77})$"'],
      Count: () => [
        this.#random.pick(["uint32", "int64", "uint64"]),
        "accepts = integer,string",
        ...this.#maybe("default = 3"),
      ],
      Flag: () => [
        "bool",
        ...this.#maybe("default = true"),
        `accepts = ${this.#random.pick(["string", "integer", "string,integer"])}`,
      ],
      Ratio: () => ["float64", "minimum = 0", "maximum = 50", ...this.#maybe("accepts = string")],
      Word: () => ["string", ...this.#maybe("accepts = integer"), ...this.#maybe("maxLength = 20")],
      Names: () => ["[]string", "minItems = 1", "maxItems = 3"],
      Table: () => [`map<${this.#mapKey()},${this.#type(1)}>`, ...this.#maybe("maxItems = 2")],
    };
    const [type = "string", ...meta] = byName[name]?.() ?? [];
    return `type ${name}: ${type}\n${meta.map((line) => `  + ${line}\n`).join("")}`;
  }

  #struct(name: string): string {
    const fields = this.#random
      .shuffle(fieldNames)
      .slice(0, name === "Request" ? 8 : 1 + this.#random.below(6));
    return `struct ${name}\n${fields.map((field) => this.#field(field)).join("")}`;
  }

  #field(name: string): string {
    const type = this.#type(0);
    // Fields that contain structs are optional, so that no struct requires itself.
    const isOptional = this.#structs.includes(type) || this.#random.chance(40);
    const meta = [...this.#fieldMeta(type, isOptional), ...this.#names(name)];
    return `  - ${name}${isOptional ? "?" : ""}: ${type}\n${meta.map((line) => `    + ${line}\n`).join("")}`;
  }

  #names(name: string): readonly string[] {
    if (this.#random.chance(85)) return [];
    return [this.#random.pick([`alias = ${name}Too`, `twin = ${name}Twin`])];
  }

  #fieldMeta(type: string, isOptional: boolean): readonly string[] {
    const meta = [...(isOptional ? this.#maybe("nullable = always", 15) : []), ...this.#bounds(type)];
    if (this.#random.chance(20)) meta.push(...this.#default(type, meta));
    return meta;
  }

  #bounds(type: string): readonly string[] {
    if (this.#random.chance(60)) return [];
    switch (type) {
      case "string":
        return this.#random.pick([
          ["minLength = 2"],
          ["maxLength = 6"],
          ['pattern = "^[a-z]{2,4}/?[^x]$"'],
          ["minLength = 1", "maxLength = 9"],
        ]);
      case "int32":
      case "uint8":
        return this.#random.pick([["minimum = 1"], ["maximum = 100"], ["minimum = 7", "maximum = 9"]]);
      case "float64":
        return ["minimum = 0"];
      case "[]byte":
        return ["minItems = 3", "maxItems = 6"];
      case "Word":
        return ["maxLength = 30"];
      case "Count":
        return ["minimum = 0"];
      default:
        if (!type.startsWith("[]")) return [];
        // A non-empty list of a struct could make the struct require itself.
        return this.#structs.includes(type.slice(2)) || this.#random.chance(50)
          ? ["maxItems = 3"]
          : ["minItems = 1"];
    }
  }

  #default(type: string, meta: readonly string[]): readonly string[] {
    if (/^(\[\]|map<)/.test(type) && !meta.some((line) => line.startsWith("minItems")))
      return ["default.empty = true"];
    const byType: Readonly<Record<string, string>> = {
      string: '"abc/d"',
      uint8: "8",
      int32: "8",
      bool: "true",
      float64: "0.5",
      Side: "offer",
      Status: "active",
      bigint: "12",
      Word: "word",
      Count: "7",
      Flag: "false",
    };
    const value = byType[type];
    return value === undefined ? [] : [`default = ${value}`];
  }

  #type(level: number): string {
    const roll = this.#random.below(100);
    if (roll < 8 && level < 3) return `[]${this.#type(level + 1)}`;
    if (roll < 14 && level < 3) return `map<${this.#mapKey()},${this.#type(level + 1)}>`;
    if (roll < 24) return this.#random.pick(this.#structs);
    if (roll < 44) return this.#random.pick(this.#aliases.filter((name) => level === 0 || name !== "Table"));
    if (roll < 54) return this.#random.pick(["Side", "Status"]);
    return this.#random.pick(
      "string string bool int8 int16 int32 int64 int uint8 uint16 uint32 uint64 uint float32 float64 timestamp bigint byte any null []byte".split(
        " ",
      ),
    );
  }

  #mapKey(): string {
    return this.#random.pick(["string", "string", "uint8", "int64", "Side", "Status"]);
  }

  #maybe(line: string, percent = 50): readonly string[] {
    return this.#random.chance(percent) ? [line] : [];
  }
}
