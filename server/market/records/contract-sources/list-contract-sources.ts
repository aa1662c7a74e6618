import { RequestRejection } from "../../../base/request-rejection.ts";
import type { Queries } from "../../../base/storage/database.ts";
import { utcExact } from "../../../base/storage/sql.ts";
import { type WithoutNulls, withoutNulls } from "../json-row.ts";
import { type PagedList, type PagedRow, type PagePlan, queryPage, type ServedPage } from "../project-page.ts";

interface ContractSourceRow extends PagedRow {
  readonly uid: string;
  readonly projectId: number | null;
  readonly contractType: string;
  readonly description: string | null;
  readonly author: string | null;
  readonly license: string | null;
  readonly audited: boolean;
  readonly moreInfoUrl: string | null;
  readonly disabled: boolean;
  readonly factorySourceUid: string | null;
  /** Null if the page is too large. */
  readonly abi: string | null;
  readonly bytecode: string | null;
  readonly bytecodeHash: string | null;
}

export type ContractSource = WithoutNulls<Omit<ContractSourceRow, "abi"> & { readonly abi: string }>;

/**
 * Largest ABIs and bytecodes of a page with several sources, in bytes: a hundred contracts of the largest size that a chain accepts, 24 KiB,
 * have less. A single source, of up to 4 MiB as the import allows, is always returned.
 */
const maxPageBytes = 8_388_608;

export async function listContractSources(
  queries: Queries,
  projectId: number,
  plan: PagePlan,
): Promise<{ readonly contractSources: ContractSource[]; readonly page: ServedPage }> {
  const list: PagedList = { select: selectSources, values: [projectId], columns };
  const isBounded = plan.pageSize > 1;
  const { rows, page } = await queryPage<ContractSourceRow>(
    queries,
    isBounded ? { ...list, shown: boundedSources } : list,
    plan,
  );
  if (rows.some(({ abi }) => abi === null))
    throw new RequestRejection(
      `/page/pageSize: ${rows.length} sources have more than ${maxPageBytes} bytes; request a smaller page`,
    );
  return {
    contractSources: (rows as readonly (ContractSourceRow & { abi: string })[]).map(withoutNulls),
    page,
  };
}

const columns: PagedList["columns"] = {
  id: { sql: "id", type: "bigint" },
  name: { sql: "name", type: "text" },
  createdAt: { sql: "created_at", type: "timestamptz" },
  updatedAt: { sql: "updated_at", type: "timestamptz" },
};

const selectSources = `
select id::float8 as id, uid, project_id::float8 as "projectId", contract_type as "contractType", name, description, author,
       license, audited, more_info_url as "moreInfoUrl", disabled, factory_source_uid as "factorySourceUid", abi, bytecode,
       bytecode_hash as "bytecodeHash", ${utcExact("created_at")} as "createdAt", ${utcExact("updated_at")} as "updatedAt"
from contract_source
where (project_id = $1 or project_id is null)`;

/** Selects no ABI and no bytecode if those of the page are too large. */
const boundedSources = `
select id, uid, "projectId", "contractType", name, description, author, license, audited, "moreInfoUrl", disabled, "factorySourceUid",
       case when are_sent then abi end as abi, case when are_sent then bytecode end as bytecode, "bytecodeHash", "createdAt", "updatedAt"
from page cross join (
  select sum(octet_length(abi) + coalesce(octet_length(bytecode), 0)) <= ${maxPageBytes} as are_sent from page
) as total`;
