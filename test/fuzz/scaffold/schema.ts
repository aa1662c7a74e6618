import type { Random } from "../../support/random.ts";

/** A small schema that can be edited randomly and printed. */
export interface Schema {
  readonly services: readonly Service[];
  readonly structs: readonly Struct[];
}

export interface Service {
  readonly name: string;
  readonly methods: readonly Method[];
}

export interface Method {
  readonly name: string;
  readonly renamedFrom?: string;
  readonly input: readonly string[];
  readonly output: readonly string[];
}

export interface Struct {
  readonly name: string;
  readonly fields: readonly string[];
}

const nouns = ["Order", "Offer", "Token", "Wallet", "Price", "Page", "Event", "Listing", "Owner", "Asset"];
const verbs = ["Get", "List", "Find", "Add", "Remove", "Count", "Watch", "Close"];
const types = ["string", "uint64", "bool", "timestamp", "[]string"];

export function randomSchema(random: Random): Schema {
  const structs = some(random, nouns, 1, 4).map((name) => ({ name, fields: randomFields(random, []) }));
  const services = some(random, ["Shop", "Mail", "Market"], 1, 3).map((name) => ({
    name,
    methods: some(random, methodNames(), 1, 6).map((method) => randomMethod(random, method, structs)),
  }));
  return { services, structs };
}

function methodNames(): string[] {
  return verbs.flatMap((verb) => nouns.map((noun) => verb + noun));
}

function randomMethod(random: Random, name: string, structs: readonly Struct[]): Method {
  return { name, input: randomFields(random, structs), output: randomFields(random, structs) };
}

function randomFields(random: Random, structs: readonly Struct[]): string[] {
  const names = some(random, ["id", "name", "page", "limit", "kind", "items", "note", "total"], 0, 4);
  return names.map((name) => `${name}: ${random.pick([...types, ...structs.map((struct) => struct.name)])}`);
}

function some<Item>(random: Random, items: readonly Item[], least: number, most: number): Item[] {
  return random.shuffle(items).slice(0, least + random.below(most - least + 1));
}

export function printSchema({ services, structs }: Schema, comment: string): string {
  const lines = ["webrpc = v1", "name = shop", "version = v1", "basepath = /rpc", "", `# ${comment}`];
  for (const { name, fields } of structs)
    lines.push(`struct ${name}`, ...fields.map((field) => `  - ${field}`), "");
  for (const { name, methods } of services) {
    lines.push(`service ${name}`);
    for (const method of methods) {
      if (method.renamedFrom !== undefined) lines.push(`  @renamedFrom:${method.renamedFrom}`);
      const output = method.output.length === 0 ? "" : ` => (${method.output.join(", ")})`;
      lines.push(`  - ${method.name}(${method.input.join(", ")})${output}`);
    }
    lines.push("");
  }
  return lines.join("\n");
}

/** One realistic edit; `kind` names it. */
export function editSchema(
  random: Random,
  schema: Schema,
): { readonly kind: string; readonly schema: Schema } {
  const kind = random.pick(Object.keys(edits));
  return { kind, schema: edits[kind]?.(random, schema) ?? schema };
}

const edits: Readonly<Record<string, (random: Random, schema: Schema) => Schema>> = {
  comment: (_random, schema) => schema,
  "add method": (random, schema) =>
    inService(random, schema, (methods) => {
      const free = methodNames().filter((name) => methods.every((method) => method.name !== name));
      return random.shuffle([...methods, randomMethod(random, random.pick(free), schema.structs)]);
    }),
  "remove method": (random, schema) =>
    inService(random, schema, (methods) => (methods.length < 2 ? methods : methods.slice(1))),
  "rename method, said": (random, schema) => renameMethod(random, schema, true),
  "rename method, by shape": (random, schema) => renameMethod(random, schema, false),
  "rename type": (random, { services, structs }) => {
    const [struct, ...others] = random.shuffle(structs);
    if (struct === undefined) return { services, structs };
    const to = `${struct.name}Record`;
    const rename = (fields: readonly string[]): string[] =>
      fields.map((field) => field.replace(new RegExp(`: ${struct.name}$`), `: ${to}`));
    return {
      structs: [{ ...struct, name: to }, ...others],
      services: services.map((service) => ({
        ...service,
        methods: service.methods.map((method) => ({
          ...method,
          input: rename(method.input),
          output: rename(method.output),
        })),
      })),
    };
  },
  "rename service": (random, schema) => {
    const service = random.pick(schema.services);
    const services = schema.services.map((each) =>
      each === service ? { ...each, name: `${each.name}Desk` } : each,
    );
    return { ...schema, services };
  },
  "add service": (random, schema) => ({
    ...schema,
    services: [
      ...schema.services,
      {
        name: freeName("Extra", schema.services),
        methods: [randomMethod(random, "GetExtra", schema.structs)],
      },
    ],
  }),
  "remove service": (_random, { services, ...rest }) => ({
    ...rest,
    services: services.length < 2 ? services : services.slice(1),
  }),
};

/** The first unused name of `Extra`, `Extra2` and so on. */
function freeName(wanted: string, services: Schema["services"]): string {
  for (let name = wanted, count = 2; ; name = `${wanted}${count++}`)
    if (services.every((service) => service.name !== name)) return name;
}

function renameMethod(random: Random, schema: Schema, isSaid: boolean): Schema {
  return inService(random, schema, (methods) => {
    const chosen = random.pick(methods);
    const name = `${chosen.name}Now`;
    return methods.map((method) =>
      method === chosen ? { ...method, name, ...(isSaid ? { renamedFrom: chosen.name } : {}) } : method,
    );
  });
}

function inService(
  random: Random,
  schema: Schema,
  edit: (methods: readonly Method[]) => readonly Method[],
): Schema {
  const service = random.pick(schema.services);
  const services = schema.services.map((each) =>
    each === service ? { ...each, methods: edit(each.methods) } : each,
  );
  return { ...schema, services };
}
