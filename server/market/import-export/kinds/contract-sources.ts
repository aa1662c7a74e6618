import type { ContractSourceLineWithDefaults as Line } from "../../../../generated/records/types.ts";
import { readContractSourceLine } from "../../../../generated/records/validators.ts";
import { utcExact } from "../../../base/storage/sql.ts";
import { timestampError } from "../check-values.ts";
import {
  countingUpsert,
  idMustBeFree,
  projectMustExist,
  type RecordKind,
  reserveIds,
  stagingTable,
} from "../record-kind.ts";

const timestamps = ["createdAt", "updatedAt"] as const;

export const contractSources: RecordKind<Line> = {
  name: "contract-sources",
  identifiedBy: "projectId and uid; without projectId it belongs to the library that all projects share",
  example: {
    uid: "erc1155-items",
    contractType: "ERC1155",
    name: "Items",
    audited: true,
    abi: "[]",
    bytecode: "0x6080",
  },
  validate: readContractSourceLine,
  loadContext: async () => undefined,
  key: ["project_id", "uid"],
  columns: [
    ["id", "bigint"],
    ["project_id", "bigint"],
    ["uid", "text"],
    ["contract_type", "text"],
    ["name", "text"],
    ["description", "text"],
    ["author", "text"],
    ["license", "text"],
    ["audited", "boolean"],
    ["more_info_url", "text"],
    ["disabled", "boolean"],
    ["factory_source_uid", "text"],
    ["abi", "text"],
    ["bytecode", "text"],
    ["bytecode_hash", "text"],
    ["created_at", "timestamptz"],
    ["updated_at", "timestamptz"],
  ],
  stage: (line) =>
    timestampError({ ...line }, timestamps) ?? [
      line.id ?? null,
      line.projectId ?? null,
      line.uid,
      line.contractType,
      line.name,
      line.description ?? null,
      line.author ?? null,
      line.license ?? null,
      line.audited,
      line.moreInfoUrl ?? null,
      line.disabled,
      line.factorySourceUid ?? null,
      line.abi,
      line.bytecode ?? null,
      line.bytecodeHash ?? null,
      line.createdAt ?? null,
      line.updatedAt ?? null,
    ],
  checks: [
    projectMustExist,
    idMustBeFree(
      "contract_source",
      "known.uid = staged.uid and known.project_id is not distinct from staged.project_id",
    ),
  ],
  merge: [
    reserveIds("contract_source"),
    countingUpsert(`
  insert into contract_source as known (id, project_id, uid, contract_type, name, description, author, license, audited,
    more_info_url, disabled, factory_source_uid, abi, bytecode, bytecode_hash, created_at, updated_at)
  select coalesce(id, nextval(pg_get_serial_sequence('contract_source', 'id'))), project_id, uid, contract_type, name, description,
    author, license, audited, more_info_url, disabled, factory_source_uid, abi, bytecode, bytecode_hash,
    coalesce(created_at, now()), coalesce(updated_at, now())
  from (select * from ${stagingTable} order by line) as staged
  on conflict (project_id, uid) do update set contract_type = excluded.contract_type, name = excluded.name,
    description = excluded.description, author = excluded.author, license = excluded.license, audited = excluded.audited,
    more_info_url = excluded.more_info_url, disabled = excluded.disabled, factory_source_uid = excluded.factory_source_uid,
    abi = excluded.abi, bytecode = excluded.bytecode, bytecode_hash = excluded.bytecode_hash, updated_at = excluded.updated_at
  where (known.contract_type, known.name, known.description, known.author, known.license, known.audited, known.more_info_url,
     known.disabled, known.factory_source_uid, known.abi, known.bytecode, known.bytecode_hash) is distinct from
    (excluded.contract_type, excluded.name, excluded.description, excluded.author, excluded.license, excluded.audited,
     excluded.more_info_url, excluded.disabled, excluded.factory_source_uid, excluded.abi, excluded.bytecode,
     excluded.bytecode_hash)`),
  ],
  exportSql: () => `
select id::float8 as id, project_id::float8 as "projectId", uid, contract_type as "contractType", name, description, author, license,
       audited, more_info_url as "moreInfoUrl", disabled, factory_source_uid as "factorySourceUid", abi, bytecode,
       bytecode_hash as "bytecodeHash", ${utcExact("created_at")} as "createdAt", ${utcExact("updated_at")} as "updatedAt"
from contract_source order by contract_source.id`,
  fetchCount: 20,
};
