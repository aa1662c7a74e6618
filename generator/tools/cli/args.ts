import { suggest } from "../../language/diagnostics/suggest.ts";
import { didYouMean, type Result, usageError } from "./command-error.ts";
import { kebab, type OptionTable, optionParsers, type Values } from "./options.ts";

export interface Args<Table extends OptionTable> {
  readonly values: Values<Table>;
  /** The arguments that are not options, in order. */
  readonly positionals: readonly string[];
}

export interface ArgRules {
  /** The command that explains the options, for error messages: `ridlkit help ir`. */
  readonly helpCommand: string;
  /** Stop at the first argument that is not an option. It and everything after it become positionals. */
  readonly stopAtPositional?: boolean;
}

/**
 * Parses `--name value`, `--name=value`, `--flag`, `--no-flag` and `--flag=false`, with one dash or two and the name in kebab-case or
 * camelCase. `--` ends the options. Lists that are given twice are joined; of other options the last one counts.
 */
export function parseArgs<Table extends OptionTable>(
  argv: readonly string[],
  table: Table,
  rules: ArgRules,
): Result<Args<Table>> {
  const values: Record<string, unknown> = {};
  const positionals: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] as string;
    if (word === "--") {
      positionals.push(...argv.slice(at + 1));
      break;
    }
    if (!isOption(word)) {
      positionals.push(...(rules.stopAtPositional ? argv.slice(at) : [word]));
      if (rules.stopAtPositional) break;
      continue;
    }
    const found = find(word, table);
    if (found === undefined) return usageError(unknownOption(word, table), rules.helpCommand);
    const text = found.text ?? (takesNext(found, table, argv[at + 1]) ? argv[++at] : undefined);
    const value = read({ ...found, text }, table);
    if (value === undefined) return usageError(badValue({ ...found, text }, table), rules.helpCommand);
    values[found.name] = joined(values[found.name], value);
  }
  return { value: { values: values as Values<Table>, positionals } };
}

/** A typed option: `--no-strict` → `{ name: "strict", negated: true }`. */
interface TypedOption {
  /** Key in the table. */
  readonly name: string;
  readonly negated: boolean;
  /** The text after "=", or the next argument. */
  readonly text: string | undefined;
}

function find(word: string, table: OptionTable): TypedOption | undefined {
  const [, typed = "", text] = /^--?([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  const short = Object.keys(table).find((key) => table[key]?.short === typed);
  const wanted = kebab(short ?? shortNames.get(typed) ?? typed);
  const keyOf = (name: string) => Object.keys(table).find((key) => kebab(key) === name);
  const name = keyOf(wanted);
  if (name !== undefined) return { name, negated: false, text };
  const flag = wanted.startsWith("no-") ? keyOf(wanted.slice("no-".length)) : undefined;
  if (flag === undefined || table[flag]?.kind !== "flag" || text !== undefined) return undefined;
  return { name: flag, negated: true, text };
}

const shortNames: ReadonlyMap<string, string> = new Map([
  ["h", "help"],
  ["o", "out"],
  ["q", "quiet"],
]);

/** A lone "-" is not an option, and neither is a number: `--error-rate -1`. */
function isOption(word: string): boolean {
  return word.startsWith("-") && !/^-([0-9.]|$)/.test(word);
}

/** An option never is the value of the option before it. Values that start with "-" need "=". */
function takesNext({ name }: TypedOption, table: OptionTable, next: string | undefined): boolean {
  return table[name]?.kind !== "flag" && next !== undefined && !isOption(next);
}

function read({ name, negated, text }: TypedOption, table: OptionTable): unknown {
  const kind = table[name]?.kind ?? "flag";
  if (text === undefined) return kind === "flag" ? !negated : undefined;
  return optionParsers[kind].parse(text);
}

function joined(before: unknown, value: unknown): unknown {
  if (before instanceof Map && value instanceof Map) return new Map([...before, ...value]);
  return Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
}

function unknownOption(word: string, table: OptionTable): string {
  const typed = word.replace(/=.*$/s, "");
  const near = suggest(kebab(typed.replace(/^--?/, "")), Object.keys(table).map(kebab));
  return `Unknown option "${typed}".${didYouMean(near === undefined ? undefined : `--${near}`)}`;
}

function badValue({ name, text }: TypedOption, table: OptionTable): string {
  const expected = optionParsers[table[name]?.kind ?? "flag"].expected;
  const found = text === undefined ? "found no value" : `found "${text}"`;
  return `--${kebab(name)} takes ${expected}; ${found}.`;
}
