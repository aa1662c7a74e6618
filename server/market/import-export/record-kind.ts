import type { Issues } from "ridlkit-runtime/errors";
import type { CopyValue as Cell } from "../../base/storage/copy.ts";
import type { Queries, Transaction } from "../../base/storage/database.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import type { EntryLocation } from "./reading/read-entries.ts";

/** A kind of record: how its lines are read, merged into the database, and exported. */
export interface RecordKind<Line = never, Context = unknown> {
  /** `contract-sources` */
  readonly name: string;
  /** The natural key, in words for the help. */
  readonly identifiedBy: string;
  /** A complete line to copy from. */
  readonly example: Readonly<Record<string, unknown>>;
  /** The generated validator: decodes in place, and returns the issues. */
  readonly validate: (value: unknown) => Issues | undefined;
  /** Loads what `stage` needs, once per run. */
  readonly loadContext: (queries: Queries, networks: Networks) => Promise<Context>;
  /** Columns of the staging table, with their types. */
  readonly columns: readonly (readonly [name: string, type: string])[];
  /** Columns of the natural key. A later line with the same key wins. */
  readonly key: readonly string[];
  /**
   * Columns by which records are independent: those that differ in one of them never conflict, so several connections may import them
   * concurrently.
   */
  readonly partitionBy?: readonly string[];
  /** Returns the cells of a line in column order, or an error message. */
  stage(line: Line, context: Context): readonly Cell[] | string;
  /** Statements that return staged lines to reject, as `line` and `fault`. */
  readonly checks: readonly string[];
  /** Copies new records without staging them. */
  readonly addNew?: AddNew;
  /** Statements that run on the staging table in order. One of them returns how many records were `added` and `changed`. */
  readonly merge: readonly string[];
  /** Selects all records in a stable order, with columns named like the fields of a line. */
  readonly exportSql: (options: ExportOptions) => string;
  /** Records per fetch, such that the largest ones fit into memory together. */
  readonly fetchCount: number;
  /** What an export without personal data omits: a phrase for the operator, and a query that counts the omitted records. */
  readonly personalData?: { readonly fields: string; readonly countOmittedSql: string };
}

export interface StagedRow {
  readonly location: EntryLocation;
  /** The first cells, as values. */
  readonly head: readonly Cell[];
  /** The other cells, encoded for `COPY`. */
  readonly rest: string;
}

export interface AddNew {
  /** Number of leading cells that `add` needs as values. */
  readonly head: number;
  /** `columns` are the column names of the kind. Returns the rows of existing records, which are then staged and merged. */
  add(
    tx: Transaction,
    columns: readonly string[],
    rows: readonly StagedRow[],
  ): Promise<{ readonly added: number; readonly known: readonly StagedRow[] }>;
}

export interface ExportOptions {
  readonly includePersonalData: boolean;
}

/** View of the valid lines of a batch. Its first column, `line`, is their index within the batch. */
export const stagingTable = "import_line";
/** The table that lines are copied to, under the view. */
export const stagingRows = "import_row";

/**
 * Counts the rows that an `insert … on conflict do update` added and changed. An inserted row has never been locked or replaced, so its
 * xmax is 0.
 */
export function countingUpsert(upsert: string): string {
  return `
with merged as (${upsert}
  returning xmax = 0 as is_new
)
select count(*) filter (where is_new)::int as added, count(*) filter (where not is_new)::int as changed from merged`;
}

/** Advances an identity column past imported ids, so that it never issues one of them. */
export function reserveIds(table: string): string {
  return `
select setval(sequence, given.id)
from (select max(id) as id from ${stagingTable}) as given, pg_get_serial_sequence('${table}', 'id') as sequence
where given.id > coalesce(pg_sequence_last_value(sequence::regclass), 0)`;
}

/** A check that an imported id does not belong to another record. */
export function idMustBeFree(table: string, sameRecord: string): string {
  return `
select line, format('id: %s already belongs to another ${table.replaceAll("_", " ")}', staged.id) as fault
from ${stagingTable} staged join ${table} known on known.id = staged.id where not (${sameRecord})`;
}

/** A check that the project of a line exists. */
export const projectMustExist: string = `
select line, format('projectId: unknown project %s; see: platform projects list', project_id) as fault
from ${stagingTable} where project_id is not null and not exists (select from project where id = project_id)`;
