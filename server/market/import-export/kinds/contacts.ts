import type { ContactLine as Line } from "../../../../generated/records/types.ts";
import { readContactLine } from "../../../../generated/records/validators.ts";
import { utcExact } from "../../../base/storage/sql.ts";
import { timestampError } from "../check-values.ts";
import { countingUpsert, idMustBeFree, type RecordKind, reserveIds, stagingTable } from "../record-kind.ts";

const timestamps = ["createdAt", "updatedAt"] as const;

export const contacts: RecordKind<Line> = {
  name: "contacts",
  identifiedBy: "audienceId and address, or audienceId and email without an address",
  example: {
    audienceId: 7,
    address: "0x1fea9fcbd1989c0f2d0fbad08144c528c7f5ea54",
    name: "Ann",
    email: "ann@example.org",
  },
  validate: readContactLine,
  loadContext: async () => undefined,
  key: ["audience_id", "known_by"],
  columns: [
    ["id", "bigint"],
    ["audience_id", "bigint"],
    ["address", "text"],
    ["name", "text"],
    ["email", "text"],
    ["created_at", "timestamptz"],
    ["updated_at", "timestamptz"],
    ["known_by", "text"],
  ],
  stage: (line) => {
    if (line.address === undefined && line.email === undefined)
      return "/address: expected an address or an email, found neither";
    if (line.email !== undefined && !mailPattern.test(line.email)) return "/email: expected a mail address";
    return (
      timestampError({ ...line }, timestamps) ?? [
        line.id ?? null,
        line.audienceId,
        line.address ?? null,
        line.name ?? null,
        line.email ?? null,
        line.createdAt ?? null,
        line.updatedAt ?? null,
        line.address ?? asciiLowerCase(line.email ?? ""),
      ]
    );
  },
  checks: [
    `
select line, format('audienceId: unknown audience %s; import audiences first', audience_id) as fault
from ${stagingTable} where not exists (select from audience where audience.id = audience_id)`,
    idMustBeFree(
      "audience_contact",
      `(known.audience_id, known.known_by) = (staged.audience_id, staged.known_by)`,
    ),
  ],
  merge: [
    reserveIds("audience_contact"),
    countingUpsert(`
  insert into audience_contact as known (id, audience_id, address, name, email, created_at, updated_at)
  select coalesce(id, nextval(pg_get_serial_sequence('audience_contact', 'id'))), audience_id, address, name, email,
    coalesce(created_at, now()), coalesce(updated_at, now())
  from (select * from ${stagingTable} order by line) as staged
  on conflict (audience_id, known_by) do update set name = coalesce(excluded.name, known.name),
    email = coalesce(excluded.email, known.email), updated_at = excluded.updated_at
  where (known.name, known.email) is distinct from
    (coalesce(excluded.name, known.name), coalesce(excluded.email, known.email))`),
  ],
  exportSql: ({ includePersonalData }) => `
select id::float8 as id, audience_id::float8 as "audienceId", address, ${includePersonalData ? "name, email, " : ""}
       ${utcExact("created_at")} as "createdAt", ${utcExact("updated_at")} as "updatedAt"
from audience_contact ${includePersonalData ? "" : "where address is not null"} order by audience_contact.id`,
  fetchCount: 2_000,
  personalData: {
    fields: "names and mail addresses",
    countOmittedSql: "select count(*)::float8 as count from audience_contact where address is null",
  },
};

/** A plausibility check only: whether mail arrives cannot be known here. */
const mailPattern = /^[^\s@]+@[^\s@]+$/;

/** Lower-cases like the database under collation "C". */
function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
