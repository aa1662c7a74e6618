import type { Issues } from "../../../generated/records/runtime/v1/common.ts";
import type { CopyValue as Cell } from "../../base/storage/copy.ts";
import type { Queries, Transaction } from "../../base/storage/database.ts";
import type { Networks } from "../../chain/networks/networks.ts";
import type { Place } from "./reading/entry.ts";

/** A kind of record: how a line of it is read, merged into the database, and written again. */
export interface RecordKind<Line = never, Known = unknown> {
  /** `contract-sources` */
  readonly name: string;
  /** What a line is known by, for people. */
  readonly knownBy: string;
  /** A line that is complete enough to be copied. */
  readonly example: Readonly<Record<string, unknown>>;
  /** The generated validator: decodes in place, and answers what is wrong. */
  readonly validate: (value: unknown) => Issues | undefined;
  /** What lines are checked against, asked once a run. */
  readonly learn: (queries: Queries, networks: Networks) => Promise<Known>;
  /** Columns of the staging table, with their types. */
  readonly columns: readonly (readonly [name: string, type: string])[];
  /** Those of the natural key. Of two lines with one key the later one counts. */
  readonly key: readonly string[];
  /** Columns: records that differ in one of them never meet in the database, so that several connections may bring them in at once. */
  readonly apart?: readonly string[];
  /** A line's cells, in the order of the columns; or what is wrong with it. */
  stage(line: Line, known: Known): readonly Cell[] | string;
  /** Each answers lines of the staging table that the database has no place for, as `line` and `fault`. */
  readonly checks: readonly string[];
  /** How records that the database does not have come in without being staged. */
  readonly addNew?: AddNew;
  /** Carried out on the staging table in order; one of them answers how many records were `added` and `changed`. */
  readonly merge: readonly string[];
  /** All records in an order that stays. Columns have the names of the line's fields. */
  readonly exportAll: (options: ExportOptions) => string;
  /** Records that are fetched at a time, so that the largest of them fit into memory together. */
  readonly fetchCount: number;
  /** What `exportAll` leaves out without personal data: a sentence for the operator, with the number of records that this query counts. */
  readonly personalData?: { readonly fields: string; readonly countLeftOut: string };
}

/** A line that was read well. */
export interface StagedRow {
  readonly place: Place;
  /** The first cells, where somebody looks at them. */
  readonly head: readonly Cell[];
  /** The others, as they stand in a line of `COPY`. */
  readonly rest: string;
}

export interface AddNew {
  /** How many cells it looks at. */
  readonly head: number;
  /** `columns` are those of the kind, by name. Answers which rows are of records that were there before: these are staged and merged. */
  add(
    tx: Transaction,
    columns: readonly string[],
    rows: readonly StagedRow[],
  ): Promise<{ readonly added: number; readonly known: readonly StagedRow[] }>;
}

export interface ExportOptions {
  readonly includePersonalData: boolean;
}

/** Lines of a batch that were read well. Its first column, `line`, counts them within the batch. */
export const stagingTable = "import_line";
/** What they are copied to; the name above is a view of it. */
export const stagingRows = "import_row";

/** The end of a merge: counts what an `insert … on conflict do update` did. A row that was inserted has never been locked or replaced. */
export function counted(upsert: string): string {
  return `
with merged as (${upsert}
  returning xmax = 0 as is_new
)
select count(*) filter (where is_new)::int as added, count(*) filter (where not is_new)::int as changed from merged`;
}

/** Moves an identity column past the ids that lines bring along, so that it never gives one of them away again. */
export function reserveIds(table: string): string {
  return `
select setval(sequence, given.id)
from (select max(id) as id from ${stagingTable}) as given, pg_get_serial_sequence('${table}', 'id') as sequence
where given.id > coalesce(pg_sequence_last_value(sequence::regclass), 0)`;
}

/** A check: an id that a line brings along must not be that of another record. */
export function idIsTaken(table: string, sameRecord: string): string {
  return `
select line, format('id: %s is another ${table.replaceAll("_", " ")}''s', staged.id) as fault
from ${stagingTable} staged join ${table} known on known.id = staged.id where not (${sameRecord})`;
}

/** A check: the project of a line must be there. */
export const noProject: string = `
select line, format('projectId: there is no project %s; see: platform projects list', project_id) as fault
from ${stagingTable} where project_id is not null and not exists (select from project where id = project_id)`;
