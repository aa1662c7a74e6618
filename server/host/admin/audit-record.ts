/** Records what operators change and export by commands. */
import { hostname, userInfo } from "node:os";
import type { Database } from "../../base/storage/database.ts";
import { Redactor } from "../observability/redact.ts";
import type { Command, Input, Output } from "./command.ts";

/** Commands with these verbs are not recorded. Exports are: they contain personal data. */
const readingVerbs: ReadonlySet<string> = new Set(["list", "show", "skipped", "unknown"]);

export function isAudited({ name }: Pick<Command, "name">, { options }: Pick<Input, "options">): boolean {
  // With --plan, `migrate` only lists.
  return options["plan"] === undefined && !readingVerbs.has(name.split(" ")[1] ?? "");
}

const redactor = new Redactor({ fields: [], errorMessages: true });

/** The operator who runs a command. */
export function actorOf({ PLATFORM_ACTOR: actor, SUDO_USER: user }: NodeJS.ProcessEnv): string {
  return actor || user || systemUser();
}

/** A container may run as a user without a name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

export interface AuditedCommand {
  readonly actor: string;
  readonly command: string;
  readonly args: readonly string[];
}

export type EndRecord = (outcome: string, ids: readonly string[]) => Promise<void>;

/** Fields of a result that name records, or versions of the database. None is a secret. */
const idFields = ["id", "prefix", "key", "account", "listener", "replaces", "from", "to"] as const;

/** Returns `id=5`, and the like, of the record that a command has changed. */
export function idsOf(output: Output): readonly string[] {
  if (!("record" in output)) return [];
  const { record } = output;
  return idFields.flatMap((name) => (record[name] === undefined ? [] : [`${name}=${record[name]}`]));
}

/** Records a command. Returns a function that records how it ended. */
export async function startRecord(
  database: Database,
  { actor, command, args }: AuditedCommand,
): Promise<EndRecord> {
  const [record] = await database.query<{ id: string }>(
    "insert into audit_record (actor, machine, command, arguments) values ($1, $2, $3, $4) returning id",
    [actor, hostname(), command, args.map((arg) => redactor.text(arg))],
  );
  return async (outcome, ids) => {
    await database.query("update audit_record set outcome = $2, ids = $3 where id = $1", [
      record?.id,
      redactor.text(outcome),
      ids,
    ]);
  };
}
