import type { Readable, Writable } from "node:stream";
import { type Config, isSandbox } from "../../base/config/config.ts";
import { readSigningKeys, type SigningKeys } from "../../base/credentials/signing-key.ts";
import type { Database, Queries } from "../../base/storage/database.ts";
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
  | { readonly list: readonly Row[]; readonly note?: string }
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

/** Throws AdminFault with the consequence, such as `3 keys are lost`, unless `--yes` is given. */
export function confirm(input: Input, consequence: string): void {
  if (!isGiven(input, "yes"))
    throw new AdminFault(`${consequence}, which cannot be undone; to confirm, repeat the command with --yes`);
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

/** The project to which a list is limited; null for all projects. Throws AdminFault if there is no such project. */
export async function readProjectFilter(queries: Queries, text: string | undefined): Promise<number | null> {
  if (text === undefined) return null;
  const projectId = readProjectId(text);
  await requireProject(queries, projectId);
  return projectId;
}

export function readRecordId(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text))
    throw new AdminFault(`invalid id "${text.slice(0, 40)}": expected a number`);
  return Number(text);
}

/** Throws AdminFault where a host would require SIGNING_KEY: the command must use the same key. */
export function signingKeysOf(config: Config): SigningKeys {
  if (config.databaseUrl !== undefined && config.signingKey === undefined && !isSandbox(config))
    throw new AdminFault(
      "SIGNING_KEY: required, and the same as the host's, or the host will reject the secret key",
    );
  return readSigningKeys(config);
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

/** Returns the chain id as text if the chain has no name. */
export function networkName(config: Config, chainId: number): string {
  return networksOf(config).find(chainId)?.name ?? String(chainId);
}

function unknown(text: string): AdminFault {
  return new AdminFault(`unknown network "${text}"; see: platform networks list`);
}
