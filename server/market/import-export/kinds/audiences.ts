import type { AudienceLine as Line } from "../../../../generated/records/types.ts";
import { readAudienceLine } from "../../../../generated/records/validators.ts";
import { utcExact } from "../../../base/storage/sql.ts";
import { timestampError } from "../check-values.ts";
import {
  countingUpsert,
  projectMustExist,
  type RecordKind,
  reserveIds,
  stagingTable,
} from "../record-kind.ts";

const timestamps = ["createdAt", "updatedAt", "deletedAt"] as const;

export const audiences: RecordKind<Line> = {
  name: "audiences",
  identifiedBy: "id",
  example: { id: 7, projectId: 1001, name: "Early birds" },
  validate: readAudienceLine,
  loadContext: async () => undefined,
  key: ["id"],
  columns: [
    ["id", "bigint"],
    ["project_id", "bigint"],
    ["name", "text"],
    ["created_at", "timestamptz"],
    ["updated_at", "timestamptz"],
    ["deleted_at", "timestamptz"],
  ],
  stage: (line) =>
    timestampError({ ...line }, timestamps) ?? [
      line.id,
      line.projectId,
      line.name,
      line.createdAt ?? null,
      line.updatedAt ?? null,
      line.deletedAt ?? null,
    ],
  checks: [
    projectMustExist,
    `
select line, format('id: audience %s belongs to another project', id) as fault
from ${stagingTable} staged join audience known using (id) where known.project_id <> staged.project_id`,
  ],
  merge: [
    reserveIds("audience"),
    countingUpsert(`
  insert into audience as known (id, project_id, name, created_at, updated_at, deleted_at)
  select id, project_id, name, coalesce(created_at, now()), coalesce(updated_at, now()), deleted_at
  from ${stagingTable} order by line
  on conflict (id) do update set name = excluded.name, updated_at = greatest(known.updated_at, excluded.updated_at),
    deleted_at = excluded.deleted_at
  where (known.name, known.deleted_at) is distinct from (excluded.name, excluded.deleted_at)`),
  ],
  exportSql: () => `
select id::float8 as id, project_id::float8 as "projectId", name, ${utcExact("created_at")} as "createdAt",
       ${utcExact("updated_at")} as "updatedAt", ${utcExact("deleted_at")} as "deletedAt"
from audience order by audience.id`,
  fetchCount: 2_000,
};
