import { commonOptions, kebab, type OptionTable } from "./options.ts";
import type { Verb } from "./verb.ts";

/** The page of `ridlkit help`. */
export function helpText(verbs: readonly Verb[]): string {
  const [first] = verbs;
  return page([
    "Usage: ridlkit <verb> [options] [FILE]",
    section(
      "Verbs",
      rows([...verbs.map((verb) => [verb.name, verb.says] as const), ["help VERB", "explain a verb"]]),
    ),
    section("Options of every verb", optionRows(commonOptions)),
    configurationText,
    exitCodeText,
    section("Examples", exampleRows(verbs.flatMap(({ examples }) => examples.slice(0, 2)))),
    first === undefined ? "" : `More: ridlkit help ${first.name}`,
  ]);
}

/** The page of `ridlkit help VERB`. */
export function verbHelpText(verb: Verb): string {
  return page([
    `Usage: ridlkit ${verb.name} ${verb.usage}`,
    verb.about,
    section("Options", optionRows(verb.options)),
    section("Options of every verb", optionRows(commonOptions)),
    section("Examples", exampleRows(verb.examples)),
  ]);
}

const configurationText = `Configuration
  ridlkit.config.{ts,js,mjs,json,yaml,yml} or the key "ridlkit" of package.json, in the working
  directory only. A flag goes before the environment (RIDLKIT_CONFIG, RIDLKIT_FORMAT, RIDLKIT_STRICT,
  WEBRPC_SCHEMA_VERSION, NO_COLOR, FORCE_COLOR), and that before the file. Options are read with one
  dash or two, in kebab-case or camelCase.`;

const exitCodeText = `Exit code
  0 fine, 1 the schema has faults, 2 the command or the configuration is wrong, 3 a fault of ridlkit`;

function page(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${title}\n${lines.join("\n")}`;
}

function optionRows(table: OptionTable): string[] {
  return rows(
    Object.entries(table).map(([name, { value, says }]) => {
      const typed = `--${kebab(name)}`;
      return [value === undefined ? typed : `${typed} ${value}`, says] as const;
    }),
  );
}

function exampleRows(examples: Verb["examples"]): string[] {
  return rows(examples.map(({ command, says }) => [command, says] as const));
}

/** Two columns; the first is as wide as its longest entry. */
function rows(pairs: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.max(0, ...pairs.map(([left]) => left.length));
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
