import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { visible } from "../../../generator/language/diagnostics/visible.ts";
import { type Config, isSandbox } from "../../base/config/config.ts";
import { readSigningKeys, type SigningKeys } from "../../base/credentials/signing-key.ts";
import type { Database, Queries } from "../../base/storage/database.ts";
import { isReplicaAlive } from "../../base/storage/replicas.ts";
import { uint256Max } from "../../base/uint256.ts";
import type { Network } from "../../chain/networks/network.ts";
import { Networks } from "../../chain/networks/networks.ts";
import { readNetworks } from "../../chain/networks/settings.ts";

/** A command of the operator: `platform keys create 1001 --name web`. */
export interface Command {
  /** `keys create` */
  readonly name: string;
  readonly help: string;
  /** In order. Optional ones are in brackets: `PROJECT`, `[NAME]`. */
  readonly positionals: readonly string[];
  readonly options?: Readonly<Record<string, Option>>;
  /** Whether it works on a database of any version. The table of audit records may not exist before it. */
  readonly isForAnyVersion?: boolean;
  /** Whether its arguments name a person, and are left out of the audit record. */
  readonly isPersonal?: boolean;
  /** Appended to the command's help. */
  readonly details?: string;
  readonly run: (context: AdminContext, input: Input) => Promise<Output>;
}

interface Option {
  /** Placeholder for the option's value in the help. */
  readonly valueName: string;
  readonly help: string;
  readonly isList?: boolean;
  readonly isSwitch?: boolean;
}

/** The standard streams of the process that runs a command. */
export interface AdminStreams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

export interface AdminContext {
  readonly config: Config;
  readonly streams: AdminStreams;
  readonly database: () => Promise<Database>;
}

export interface Input {
  readonly positionals: readonly string[];
  /** By name: the values of all occurrences. */
  readonly options: Readonly<Record<string, readonly string[]>>;
}

export type Row = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** One record, possibly incomplete, or a list of records with the same keys. */
export type Output =
  | { readonly record: Row; readonly note?: string; readonly isIncomplete?: boolean }
  /** Tables show `ifEmpty` for an empty list. Default: `none`. */
  | { readonly list: readonly Row[]; readonly ifEmpty?: string; readonly note?: string }
  /** The command has written its result to standard output itself. */
  | { readonly isWritten: true };

/** A command failed. The message is for the operator. */
export class AdminFault extends Error {
  override readonly name = "AdminFault";
}

export class UsageFault extends AdminFault {}

export function isGiven(input: Input, option: string): boolean {
  return input.options[option] !== undefined;
}

/** For commands that cannot be undone. */
export const confirmOption = {
  yes: { valueName: "", help: "confirm what cannot be undone", isSwitch: true },
} as const;

/**
 * Asks an operator at a terminal to type `word`. Elsewhere, throws UsageFault with the consequence, such as `3 keys are deleted`. Does
 * neither if `--yes` is given.
 */
export async function confirm(
  { streams: { stdin, stderr } }: AdminContext,
  input: Input,
  { consequence, word }: { readonly consequence: string; readonly word: string },
): Promise<void> {
  // Not for `--no-yes` and `--yes=false`.
  if (String(firstOf(input, "yes")) === "true") return;
  const warning = `${consequence}, which cannot be undone`;
  if (stdin.isTTY !== true || stderr.isTTY !== true)
    throw new UsageFault(`${warning}; to confirm, repeat the command with --yes`);
  stderr.write(`platform: ${visible(warning)}\nTo confirm, type ${visible(word)}: `);
  if ((await readLine(stdin)) !== word) throw new AdminFault("not confirmed: nothing was changed");
}

/** Returns undefined at the end of the input. */
async function readLine(stdin: Readable): Promise<string | undefined> {
  const lines = createInterface({ input: stdin });
  try {
    const line = await lines[Symbol.asyncIterator]().next();
    return line.done === true ? undefined : line.value.trim();
  } finally {
    lines.close();
  }
}

/** `createdAt` → `created at` */
export function spaced(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** `2 keys`, `1 key`. The name is a plural that ends with s. */
export function counted(count: number, names: string): string {
  return `${count} ${count === 1 ? names.slice(0, -1) : names}`;
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Reads `30m`, `12h` or `90d`. Returns undefined for another form. */
function readDuration(text: string): number | undefined {
  const [, count, unit] = /^(0|[1-9][0-9]{0,4})([mhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * unitMs[unit as keyof typeof unitMs];
}

/** Reads `2027-01-31` or `2027-01-31T12:00:00Z`. Returns undefined for another form, and for a day that does not exist. */
export function readTime(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/.test(text)) return undefined;
  const time = new Date(text);
  // JavaScript reads 30 February as 2 March.
  const isReal = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.replace("Z", ""));
  return isReal ? time : undefined;
}

export const expiresOption = {
  expires: {
    valueName: "TIME",
    help: "30m, 12h or 90d from now, or a day such as 2027-01-31, at 00:00 UTC (default: never)",
  },
} as const;

export function readExpiry(input: Input): Date | undefined {
  const text = firstOf(input, "expires");
  if (text === undefined) return undefined;
  const duration = readDuration(text);
  const time = duration === undefined ? readTime(text) : new Date(Date.now() + duration);
  if (time === undefined || duration === 0)
    throw new AdminFault(
      `--expires: expected a duration such as 30m, 12h or 90d, or a day such as 2027-01-31, found "${text}"`,
    );
  if (time.getTime() <= Date.now()) throw new AdminFault(`--expires: ${text} is in the past`);
  return time;
}

/** For the rotation of keys. */
export const overlapOption = {
  overlap: { valueName: "TIME", help: "how long the old key stays valid: 30m, 12h or 7d (default: 1d)" },
} as const;

/** In milliseconds. */
export function readOverlap(input: Input): number {
  const text = firstOf(input, "overlap") ?? "1d";
  const overlap = readDuration(text);
  if (overlap === undefined)
    throw new AdminFault(`--overlap: expected a duration such as 30m, 12h or 7d, found "${text}"`);
  return overlap;
}

/** Most records of a list that may be long. */
const listed = { default: 100, max: 10_000 };

export const limitOption: Readonly<Record<string, Option>> = {
  limit: { valueName: "NUMBER", help: `most records, up to ${listed.max} (default: ${listed.default})` },
};

export function readLimit(input: Input): number {
  const given = firstOf(input, "limit") ?? String(listed.default);
  if (/^[1-9][0-9]{0,4}$/.test(given) && Number(given) <= listed.max) return Number(given);
  throw new UsageFault(`--limit: expected a number from 1 to ${listed.max}, found "${given}"`);
}

export function firstOf(input: Input, option: string): string | undefined {
  return input.options[option]?.at(-1);
}

/** Returns a required positional; the command line has checked that it is present. */
export function argument({ positionals }: Input, index: number): string {
  return positionals[index] ?? "";
}

export function readProjectId(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text))
    throw new AdminFault(`invalid project id "${text}": expected a number such as 1001`);
  return Number(text);
}

export async function requireProject(queries: Queries, projectId: number): Promise<void> {
  const found = await queries.query("select 1 from project where id = $1", [projectId]);
  if (found.length === 0)
    throw new AdminFault(`project ${projectId} does not exist; see: platform projects list`);
}

/** A command that lists records of all projects, or of one. `list` gets null for all projects. */
export function listOfProject(
  name: string,
  help: string,
  list: (queries: Queries, projectId: number | null) => Promise<readonly Row[]>,
): Command {
  return {
    name,
    help,
    positionals: ["[PROJECT]"],
    run: async ({ database }, { positionals: [project] }) => {
      const queries = await database();
      const projectId = project === undefined ? null : readProjectId(project);
      if (projectId !== null) await requireProject(queries, projectId);
      return { list: await list(queries, projectId) };
    },
  };
}

/** Limits the list of such a command in SQL. */
export const ofProject = "$1::bigint is null or project_id = $1";

export function readRecordId(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text))
    throw new AdminFault(`invalid id "${text.slice(0, 40)}": expected a number`);
  return Number(text);
}

/** Throws AdminFault where a host would require SIGNING_KEY: the command must use the same key. */
export function signingKeysOf(config: Config): SigningKeys {
  if (config.databaseUrl !== undefined && config.signingKey === undefined && !isSandbox(config))
    throw new AdminFault("SIGNING_KEY: required; set it and any SIGNING_KEY_FALLBACKS as on the hosts");
  return readSigningKeys(config);
}

/** Returns the keys for a command that signs or encrypts. Throws AdminFault if hosts run and none has the first key. */
export async function signingKeysOfHosts(config: Config, queries: Queries): Promise<SigningKeys> {
  const keys = signingKeysOf(config);
  const known = await keysOfHosts(queries);
  if (known.length > 0 && !known.includes(keys[0].id))
    throw new AdminFault(
      `no running host has the signing key ${keys[0].id}; they have ${known.join(", ")}; see: platform replicas list`,
    );
  return keys;
}

/** The ids of the signing keys of the hosts that run. */
export async function keysOfHosts(queries: Queries): Promise<readonly string[]> {
  const rows = await queries.query<{ key: string }>(
    `select distinct unnest(signing_keys) as key from replica where ${isReplicaAlive} order by key`,
  );
  return rows.map(({ key }) => key);
}

/** The configured networks. A local chain is not one of them. */
export function networksOf(config: Config): Networks {
  return new Networks(readNetworks(config).networks);
}

export function networkNamed(config: Config, text: string): Network {
  const network = networksOf(config).find(text);
  if (network === undefined) throw unknown(text);
  return network;
}

/** Finds a chain id by name or chain id; also accepts the id of a local chain. Throws AdminFault. */
export function chainIdNamed(config: Config, text: string): number {
  const network = networksOf(config).find(text);
  if (network !== undefined) return network.chainId;
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  throw unknown(text);
}

/** A contract on a network, by the positionals NETWORK and ADDRESS. Throws AdminFault. */
export function contractNamed(
  { config }: AdminContext,
  input: Input,
): { readonly chainId: number; readonly address: string } {
  const [name, address] = [argument(input, 0), argument(input, 1).toLowerCase()];
  const chainId = chainIdNamed(config, name);
  if (!/^0x[0-9a-f]{40}$/.test(address)) throw new AdminFault(`invalid address "${address.slice(0, 80)}"`);
  return { chainId, address };
}

/** Reads a token id. Throws AdminFault. */
export function readTokenId(text: string): string {
  if (!(/^[0-9]{1,78}$/.test(text) && BigInt(text) <= uint256Max))
    throw new AdminFault(`invalid token id "${text.slice(0, 80)}": expected a number`);
  return text;
}

/** Returns the chain id as text if the chain has no name. */
export function networkName(config: Config, chainId: number): string {
  return networksOf(config).find(chainId)?.name ?? String(chainId);
}

function unknown(text: string): AdminFault {
  return new AdminFault(`unknown network "${text}"; see: platform networks list`);
}
