import type { Config } from "../../base/config/config.ts";
import type { Database } from "../../base/storage/database.ts";

/** One thing that an operator can do: `platform keys create 1001 --name web`. */
export interface Command {
  /** `keys create` */
  readonly name: string;
  readonly help: string;
  /** In their order; one in brackets may be left out: `PROJECT`, `[NAME]`. */
  readonly positionals: readonly string[];
  readonly options?: Readonly<Record<string, Option>>;
  /** What its help ends with. */
  readonly details?: string;
  readonly run: (ports: AdminPorts, input: Input) => Promise<Output>;
}

export interface Option {
  /** What stands after it. */
  readonly valueName: string;
  readonly help: string;
  /** May be given several times. */
  readonly isList?: boolean;
  /** Nothing stands after it: it is there or not. */
  readonly isSwitch?: boolean;
}

export interface AdminPorts {
  readonly config: Config;
  /** Opened when it is first asked for. */
  readonly database: () => Promise<Database>;
}

export interface Input {
  readonly positionals: readonly string[];
  /** By name: what stood after it, each time. */
  readonly options: Readonly<Record<string, readonly string[]>>;
}

export type Row = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** One record, which may say that not all went well; or a list of them with the same keys. */
export type Output =
  | { readonly one: Row; readonly note?: string; readonly isRefused?: boolean }
  | { readonly list: readonly Row[]; readonly note?: string }
  /** The command has written its answer to standard output by itself. */
  | { readonly isWritten: true };

/** Why a command was not carried out, in words for its operator. */
export class AdminFault extends Error {
  override readonly name = "AdminFault";
}

/** The same where the command line itself is at fault. */
export class UsageFault extends AdminFault {}

export function isGiven(input: Input, option: string): boolean {
  return input.options[option] !== undefined;
}

export function firstOf(input: Input, option: string): string | undefined {
  return input.options[option]?.at(-1);
}

/** The positional at a place that must be there: the command line checked that. */
export function argument({ positionals }: Input, index: number): string {
  return positionals[index] ?? "";
}

export function readProjectId(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text))
    throw new AdminFault(`"${text}" is no id of a project: expected a number, as 1001`);
  return Number(text);
}
