import { stagingTable } from "../record-kind.ts";

export const addCollections: string = `
insert into collection (chain_id, address)
select chain_id, address from ${stagingTable} staged
where not exists (select from collection known where known.chain_id = staged.chain_id and known.address = staged.address)
group by chain_id, address order by min(line)
on conflict do nothing`;
