import type { ContractLineWithDefaults as Line } from "../../../../generated/records/types.ts";
import { readContractLine } from "../../../../generated/records/validators.ts";
import { utcExact } from "../../../base/storage/sql.ts";
import { ChainLookup, chainNotServed, timestampError } from "../check-values.ts";
import {
  countingUpsert,
  idMustBeFree,
  projectMustExist,
  type RecordKind,
  reserveIds,
  stagingTable,
} from "../record-kind.ts";

const timestamps = ["createdAt", "updatedAt"] as const;

export const contracts: RecordKind<Line, ChainLookup> = {
  name: "contracts",
  identifiedBy: "projectId, chainId and contractAddress",
  example: {
    projectId: 1001,
    contractName: "Sale",
    contractAddress: "0x631998e91476da5b870d741192fc5cbc55f5a52e",
    contractType: "ERC1155",
    chainId: "polygon",
    source: "DEPLOYED",
    audienceId: 7,
  },
  validate: readContractLine,
  loadContext: async (_, networks) => new ChainLookup(networks),
  key: ["project_id", "chain_id", "contract_address"],
  columns: [
    ["id", "bigint"],
    ["project_id", "bigint"],
    ["contract_name", "text"],
    ["contract_address", "text"],
    ["contract_type", "text"],
    ["chain_id", "bigint"],
    ["source", "text"],
    ["items_contract_address", "text"],
    ["abi", "text"],
    ["bytecode", "text"],
    ["bytecode_hash", "text"],
    ["audience_id", "bigint"],
    ["created_at", "timestamptz"],
    ["updated_at", "timestamptz"],
  ],
  stage: (line, chains) => {
    const chainId = chains.find(line.chainId);
    if (chainId === undefined) return chainNotServed(line.chainId);
    return (
      timestampError({ ...line }, timestamps) ?? [
        line.id ?? null,
        line.projectId,
        line.contractName,
        line.contractAddress,
        line.contractType,
        chainId,
        line.source,
        line.itemsContractAddress ?? null,
        line.abi ?? null,
        line.bytecode ?? null,
        line.bytecodeHash ?? null,
        line.audienceId ?? null,
        line.createdAt ?? null,
        line.updatedAt ?? null,
      ]
    );
  },
  checks: [
    projectMustExist,
    `
select line, format('audienceId: project %s has no audience %s; import audiences first', project_id, audience_id) as fault
from ${stagingTable} staged
where audience_id is not null
  and not exists (select from audience known where known.id = audience_id and known.project_id = staged.project_id)`,
    idMustBeFree(
      "contract",
      "(known.project_id, known.chain_id, known.contract_address) = (staged.project_id, staged.chain_id, staged.contract_address)",
    ),
  ],
  merge: [
    reserveIds("contract"),
    countingUpsert(`
  insert into contract as known (id, project_id, contract_name, chain_id, contract_address, contract_type, source,
    items_contract_address, abi, bytecode, bytecode_hash, audience_id, created_at, updated_at)
  select coalesce(id, nextval(pg_get_serial_sequence('contract', 'id'))), project_id, contract_name, chain_id, contract_address,
    contract_type, source, items_contract_address, abi, bytecode, bytecode_hash, audience_id, coalesce(created_at, now()),
    coalesce(updated_at, now())
  from (select * from ${stagingTable} order by line) as staged
  on conflict (project_id, chain_id, contract_address) do update set contract_name = excluded.contract_name,
    contract_type = excluded.contract_type, source = excluded.source, items_contract_address = excluded.items_contract_address,
    abi = excluded.abi, bytecode = excluded.bytecode, bytecode_hash = excluded.bytecode_hash, audience_id = excluded.audience_id,
    updated_at = excluded.updated_at
  where (known.contract_name, known.contract_type, known.source, known.items_contract_address, known.abi, known.bytecode,
     known.bytecode_hash, known.audience_id) is distinct from
    (excluded.contract_name, excluded.contract_type, excluded.source, excluded.items_contract_address, excluded.abi,
     excluded.bytecode, excluded.bytecode_hash, excluded.audience_id)`),
  ],
  exportSql: () => `
select id::float8 as id, project_id::float8 as "projectId", contract_name as "contractName", contract_address as "contractAddress",
       contract_type as "contractType", chain_id::float8 as "chainId", source, items_contract_address as "itemsContractAddress", abi,
       bytecode, bytecode_hash as "bytecodeHash", audience_id::float8 as "audienceId", ${utcExact("created_at")} as "createdAt",
       ${utcExact("updated_at")} as "updatedAt"
from contract order by contract.id`,
  fetchCount: 20,
};
