import type { Queries } from "../../../base/storage/database.ts";
import { utcExact } from "../../../base/storage/utc.ts";
import { type PagedList, type PagedRow, queryPage, type ServedPage } from "../page-sql.ts";
import type { PagePlan } from "../project-page.ts";
import { type WithoutNulls, withoutNulls } from "../without-nulls.ts";

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
  readonly abi: string;
  readonly bytecode: string | null;
  readonly bytecodeHash: string | null;
}

export type ContractSource = WithoutNulls<ContractSourceRow>;

export async function listContractSources(
  queries: Queries,
  projectId: number,
  plan: PagePlan,
): Promise<{ readonly contractSources: ContractSource[]; readonly page: ServedPage }> {
  const list: PagedList = { select: selectSources, values: [projectId], columns };
  const { rows, page } = await queryPage<ContractSourceRow>(queries, list, plan);
  return { contractSources: rows.map(withoutNulls), page };
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
