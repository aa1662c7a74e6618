import type { Queries } from "../../../base/storage/database.ts";
import { utcExact } from "../../../base/storage/sql.ts";
import { type WithoutNulls, withoutNulls } from "../json-row.ts";

interface AudienceRow {
  readonly id: number;
  readonly projectId: number;
  readonly name: string;
  readonly contactCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface ContactRow {
  readonly id: number;
  readonly audienceId: number;
  readonly address: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface ContractRow {
  readonly id: number;
  readonly projectId: number;
  readonly contractName: string;
  readonly contractAddress: string;
  readonly contractType: string;
  readonly chainId: number;
  readonly source: "LINKED" | "DEPLOYED";
  readonly itemsContractAddress: string | null;
  readonly abi: string | null;
  readonly bytecode: string | null;
  readonly bytecodeHash: string | null;
  readonly audienceId: number | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface AudienceWithMembers {
  readonly audience: AudienceRow;
  readonly contacts: WithoutNulls<ContactRow>[];
  readonly contracts: WithoutNulls<ContractRow>[];
}

export interface AudienceQuery {
  readonly projectId: number;
  readonly audienceId: number;
  /** Whether the caller may see names and mail addresses. Otherwise they are shown only if the project has made them public. */
  readonly withPersonalData: boolean;
}

/** Returns undefined if the project has no such audience, or has deleted it. */
export async function getAudience(
  queries: Queries,
  { projectId, audienceId, withPersonalData }: AudienceQuery,
): Promise<AudienceWithMembers | undefined> {
  const [found] = await queries.query<AudienceRow & { readonly isPublic: boolean }>(selectAudience, [
    audienceId,
    projectId,
  ]);
  if (found === undefined) return undefined;
  const { isPublic, ...audience } = found;
  const [contacts, contracts] = await Promise.all([
    queries.query<ContactRow>(selectContacts, [audienceId, withPersonalData || isPublic, maxContacts]),
    queries.query<ContractRow>(selectContracts, [audienceId, maxContracts]),
  ]);
  return { audience, contacts: contacts.map(withoutNulls), contracts: contracts.map(withoutNulls) };
}

/** Most contacts in a response, as the contract promises. With names and mail addresses of usual length, they have about two megabytes. */
const maxContacts = 10_000;

/** Most contracts in a response. */
const maxContracts = 1_000;

/** Largest contacts, and largest ABIs and bytecodes, in bytes: twice the usual size of `maxContacts`. */
const maxBytes = 4_194_304;

const selectAudience = {
  name: "audience",
  text: `
select audience.id::float8 as id, project_id::float8 as "projectId", audience.name, contact_count::float8 as "contactCount",
       ${utcExact("audience.created_at")} as "createdAt", ${utcExact("audience.updated_at")} as "updatedAt",
       public_contact_details as "isPublic"
from audience join project on project.id = project_id
where audience.id = $1 and project_id = $2 and deleted_at is null`,
};

/** Bytes of a contact in JSON, without its name and mail address. */
const contactBytes = 200;

/** Hidden personal data does not leave the database. */
const selectContacts = {
  name: "audience-contacts",
  text: `
select id::float8 as id, audience_id::float8 as "audienceId", address,
       case when $2 then name end as name, case when $2 then email end as email,
       ${utcExact("created_at")} as "createdAt", ${utcExact("updated_at")} as "updatedAt"
from (
  select *, sum(${contactBytes} + case when $2 then octet_length(to_json(concat(name, email))::text) else 0 end) over (order by id) as bytes
  from (select * from audience_contact where audience_id = $1 order by id limit $3) as first
) as summed
where bytes <= ${maxBytes}
order by id`,
};

const selectContracts = {
  name: "audience-contracts",
  text: `
select id::float8 as id, project_id::float8 as "projectId", contract_name as "contractName",
       contract_address as "contractAddress", contract_type as "contractType", chain_id::float8 as "chainId", source,
       items_contract_address as "itemsContractAddress", case when bytes <= ${maxBytes} then abi end as abi,
       case when bytes <= ${maxBytes} then bytecode end as bytecode, bytecode_hash as "bytecodeHash",
       audience_id::float8 as "audienceId", ${utcExact("created_at")} as "createdAt", ${utcExact("updated_at")} as "updatedAt"
from (
  select *, sum(coalesce(octet_length(abi), 0) + coalesce(octet_length(bytecode), 0)) over (order by id) as bytes
  from (select * from contract where audience_id = $1 order by id limit $2) as first
) as summed
order by id`,
};
