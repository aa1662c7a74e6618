import type { Random } from "../../support/random.ts";
import type { Schema, Service } from "./schema.ts";

/** Handler files in different styles, by path. They compile with the code generated for the schema. */
export function randomHandlers(random: Random, schema: Schema): Map<string, string> {
  const files = new Map<string, string>();
  const imports: string[] = [];
  const members: string[] = [];
  const setUp: string[] = [];
  for (const service of schema.services) {
    const style = styles[random.below(styles.length)] as Style;
    const part = style(random, service);
    for (const [path, text] of part.files) files.set(path, oddities(random, text));
    imports.push(...part.imports);
    setUp.push(...(part.setUp ?? []));
    members.push(`  /* ${service.name}, by hand */ ${service.name}: ${part.value},`);
  }
  const head = [`import type { Handlers } from "../generated/server.ts";`, ...imports].join("\n");
  const body = random.pick([
    `export const handlers: Handlers = {\n${members.join("\n")}\n};\n`,
    `export const handlers = {\n${members.join("\n")}\n} satisfies Handlers;\n`,
    `export function createHandlers(): Handlers {\n  // Bound here.\n  return guard<Handlers>({\n${members.join("\n")}\n  });\n}\n\nfunction guard<T>(handlers: T): T {\n  return handlers;\n}\n`,
  ]);
  files.set("handlers/handlers.ts", oddities(random, `${head}\n\n${setUp.join("\n")}\n${body}`));
  return files;
}

interface Part {
  readonly files: ReadonlyMap<string, string>;
  readonly imports: readonly string[];
  readonly setUp?: readonly string[];
  readonly value: string;
}

type Style = (random: Random, service: Service) => Part;

const never = "{\n  // What only the author knows.\n  throw new Error('by hand');\n}";

const styles: readonly Style[] = [perMethod, inline, asClass, asModule, wrapped, factory];

/** One file per method, collected in one object. */
function perMethod(random: Random, { name, methods }: Service): Part {
  const files = new Map<string, string>();
  const imports: string[] = [];
  const members: string[] = [];
  for (const { name: method, input } of methods) {
    const local = `${method.charAt(0).toLowerCase()}${method.slice(1)}In${name}`;
    const types = random.chance(50) && input.length > 0;
    const request = requestName(method, name);
    files.set(
      `handlers/${name}/${method}.ts`,
      [
        `import type { ${name}Handlers } from "../../generated/server.ts";`,
        ...(types ? ["import type * as types from '../../generated/types.ts';"] : []),
        "",
        ...(types ? [`export type Seen = types.${request};`, ""] : []),
        `/** ${method}, as ${name} wants it. */`,
        `export const ${local}: ${name}Handlers["${method}"] = async () => ${never};`,
        "",
      ].join("\n"),
    );
    imports.push(`import { ${local} } from "./${name}/${method}.ts";`);
    members.push(`${method}: ${local}`);
  }
  return { files, imports, value: `{ ${members.join(", ")}${random.chance(50) ? "," : ""} }` };
}

function inline(random: Random, { methods }: Service): Part {
  const lines = methods.map(({ name }) =>
    random.pick([
      `    ${name}: async () => ${never},`,
      `    async ${name}() ${never}, // ${name} again`,
      `    "${name}": () => ${never},`,
    ]),
  );
  return { files: new Map(), imports: [], value: `{\n${lines.join("\n")}\n    // the last word\n  }` };
}

function asClass(_random: Random, { name, methods }: Service): Part {
  const members = methods.map(({ name: method }) => `  async ${method}(): Promise<never> ${never}`);
  const text = `import type { ${name}Handlers } from "../generated/server.ts";

/** One object, created once. */
export class ${name}Desk0 implements ${name}Handlers {
  #count = 0;

${members.join("\n\n")}

  helper(): number {
    return this.#count++;
  }
}
`;
  return {
    files: new Map([[`handlers/${name.toLowerCase()}-class.ts`, text]]),
    imports: [`import { ${name}Desk0 } from "./${name.toLowerCase()}-class.ts";`],
    setUp: [`const ${name.toLowerCase()}0 = new ${name}Desk0();`],
    value: `${name.toLowerCase()}0`,
  };
}

/** Functions collected by re-exports. */
function asModule(random: Random, { name, methods }: Service): Part {
  const path = `handlers/${name.toLowerCase()}-module.ts`;
  const files = new Map<string, string>();
  const lines = methods.map(({ name: method }) => {
    if (random.chance(50)) return `export const ${method} = async (): Promise<never> => ${never};\n`;
    files.set(`handlers/parts/${name}${method}.ts`, `export async function run(): Promise<never> ${never}\n`);
    return `export { run as ${method} } from "./parts/${name}${method}.ts";`;
  });
  files.set(path, `// All of ${name}.\n${lines.join("\n")}\n`);
  return {
    files,
    imports: [`import * as ${name.toLowerCase()}1 from "./${name.toLowerCase()}-module.ts";`],
    value: `${name.toLowerCase()}1`,
  };
}

/** Each handler in two wrappers and its own object. */
function wrapped(random: Random, { name, methods }: Service): Part {
  const path = `handlers/${name.toLowerCase()}-wrapped.ts`;
  const lines = methods.map(
    ({ name: method }) =>
      `  ${method}: withAuth({ scope: "${method}" }, limited(${10 + random.below(90)}, async () => ${never})),`,
  );
  const text = `import type { ${name}Handlers } from "../generated/server.ts";

const withAuth = <T>(_rule: { scope: string }, handler: T): T => handler; // checked elsewhere
const limited = <T>(_perMinute: number, handler: T): T => handler;

export const ${name.toLowerCase()}2: ${name}Handlers = {
${lines.join("\n")}
};
`;
  return {
    files: new Map([[path, text]]),
    imports: [`import { ${name.toLowerCase()}2 } from "./${name.toLowerCase()}-wrapped.ts";`],
    value: `${name.toLowerCase()}2`,
  };
}

/** A function that receives the handlers' dependencies. */
function factory(_random: Random, { name, methods }: Service): Part {
  const path = `handlers/${name.toLowerCase()}-factory.ts`;
  const members = methods.map(({ name: method }) => `    ${method}: async () => ${never}`);
  const text = `import type { ${name}Handlers } from "../generated/server.ts";

export const make${name} = (ports: { readonly clock: () => number }): ${name}Handlers => {
  ports.clock();
  return {
${members.join(",\n")}
  };
};
`;
  return {
    files: new Map([[path, text]]),
    imports: [`import { make${name} } from "./${name.toLowerCase()}-factory.ts";`],
    value: `make${name}({ clock: Date.now })`,
  };
}

function requestName(method: string, service: string): string {
  return `${method}Request0${service}`;
}

/** Changes that editors and systems make to a file without changing its meaning. */
function oddities(random: Random, text: string): string {
  let odd = text;
  if (random.chance(15)) odd = odd.replaceAll("\n", "\r\n");
  if (random.chance(10)) odd = `\uFEFF${odd}`;
  if (random.chance(15)) odd = odd.replace(/\n+$/, "");
  if (random.chance(15)) odd = odd.replace(/^( {2})+/gm, (blanks) => "\t".repeat(blanks.length / 2));
  return odd;
}
