/** What users of the options for TanStack Query can and cannot write. Checked by `npm run types`, never run. */

import { QueryClient, QueryObserver, skipToken } from "@tanstack/query-core";
import type { Client } from "../../generator/runtime/src/client.ts";
import { queryOptions } from "../../generator/runtime/src/tanstack-query.ts";
import { getOrders, ping } from "../fixtures/market/generated/client.ts";
import type { GetOrdersRequest, GetOrdersResponse } from "../fixtures/market/generated/types.ts";

declare const client: Client;
declare const id: string | undefined;
declare const isOn: boolean;
declare function is<Wanted>(value: Wanted): void;

export function skipped(): void {
  const cache = new QueryClient();
  const inCondition = queryOptions(getOrders, client, id === undefined ? skipToken : { ids: [id] });
  is<GetOrdersResponse | undefined>(cache.getQueryData(inCondition.queryKey));
  is<GetOrdersResponse | undefined>(new QueryObserver(cache, inCondition).getCurrentResult().data);
  const req = id ? { ids: [id] } : skipToken;
  new QueryObserver(cache, { ...queryOptions(getOrders, client, req, { timeoutMs: 1 }), staleTime: 1 });
  new QueryObserver(cache, queryOptions(getOrders, client, skipToken));
  new QueryObserver(cache, queryOptions(ping, client, isOn ? {} : skipToken));
  const declared: GetOrdersRequest | typeof skipToken = isOn ? { ids: [] } : skipToken;
  new QueryObserver(cache, queryOptions(getOrders, client, declared));
  // @ts-expect-error no such field
  queryOptions(getOrders, client, isOn ? { ids: [], other: 1 } : skipToken);
  // @ts-expect-error another symbol
  queryOptions(getOrders, client, isOn ? { ids: [] } : Symbol.iterator);
  // @ts-expect-error the request may be missing
  queryOptions(getOrders, client, isOn ? { ids: [] } : undefined);
}
