/** What callers of a generated client can and cannot write. Checked by `npm run types`, never run. */

import {
  Bank,
  type Client,
  type FailureOf,
  getOrders,
  Marketplace,
  match,
  ping,
  type Result,
  RpcError,
  result,
  transfer,
} from "../fixtures/market/generated/client.ts";
import {
  InvalidArgumentError,
  NotFoundError,
  type ProtocolError,
  type UnlistedError,
} from "../fixtures/market/generated/errors.ts";
import type { GetOrdersResponse } from "../fixtures/market/generated/types.ts";

declare const client: Client;
declare const caught: unknown;
declare function is<Wanted>(value: Wanted): void;

export async function calls(): Promise<void> {
  is<GetOrdersResponse>(await getOrders(client, { ids: [] }));
  is<GetOrdersResponse>(await new Marketplace("https://a.example").getOrders({ ids: [] }, { timeoutMs: 1 }));
  await ping(client);
  await ping(client, {}, { headers: { a: "1" } });
  await new Bank(client).ping();
  is<bigint>((await transfer(client, { to: "a", amount: 1n })).total);
  // @ts-expect-error the request is needed
  await getOrders(client);
  // @ts-expect-error a field is missing
  await getOrders(client, {});
  // @ts-expect-error no such field
  await getOrders(client, { ids: [], other: 1 });
  // @ts-expect-error a bigint is no number
  await transfer(client, { to: "a", amount: 1 });
  // @ts-expect-error no such option
  await ping(client, {}, { timeout: 1 });
  // @ts-expect-error headers are a function
  is<Client>({ url: "", headers: { a: "1" } });
  is<Client>({ url: "", transport: fetch });
}

export async function failures(): Promise<void> {
  if (caught instanceof InvalidArgumentError) {
    is<2000>(caught.code);
    is<"InvalidArgument">(caught.name);
  }
  if (caught instanceof RpcError) is<boolean>(caught.retryable);
  is<FailureOf<typeof getOrders>>(new NotFoundError());
  const outcome = await result(getOrders(client, { ids: [] }));
  if (outcome.ok) is<GetOrdersResponse>(outcome.value);
  else if (outcome.error.name === "NotFound") is<NotFoundError>(outcome.error);
  else is<InvalidArgumentError | UnlistedError | ProtocolError>(outcome.error);
  // @ts-expect-error there may be no value
  is<GetOrdersResponse>(outcome.value);
}

export function matches(outcome: Result<number, InvalidArgumentError | NotFoundError>): void {
  is<number | string | boolean>(
    match(outcome, {
      ok: (value) => value + 1,
      InvalidArgument: ({ msg }) => msg,
      NotFound: ({ code }) => code === 3000,
    }),
  );
  match(outcome, {
    ok: (value) => is<number>(value),
    _: (error) => is<InvalidArgumentError | NotFoundError>(error),
  });
  match(outcome, { ok: () => 1, NotFound: (error) => is<NotFoundError>(error), _: () => 2 });
  // @ts-expect-error NotFound is missing
  match(outcome, { ok: () => 1, InvalidArgument: () => 2 });
  // @ts-expect-error ok is missing
  match(outcome, { _: () => 2 });
  // @ts-expect-error no such error
  match(outcome, { ok: () => 1, NotFond: () => 1, _: () => 2 });
}

export async function everyMethodHasTheHostsErrors(): Promise<void> {
  const outcome = await result(ping(client));
  match(outcome, {
    ok: () => 0,
    InvalidArgument: () => 1,
    Unauthorized: () => 2,
    RateLimited: () => 3,
    Overloaded: () => 4,
    WebrpcEndpoint: () => 5,
    WebrpcRequestFailed: () => 6,
    WebrpcBadRoute: () => 7,
    WebrpcBadMethod: () => 8,
    WebrpcBadRequest: () => 9,
    WebrpcBadResponse: () => 10,
    WebrpcServerPanic: () => 11,
    WebrpcInternalError: () => 12,
    WebrpcClientDisconnected: () => 13,
  });
  const own = { ok: () => 0, InvalidArgument: () => 1, Unauthorized: () => 2, RateLimited: () => 3 };
  match(outcome, { ...own, Overloaded: () => 4, protocol: (error) => is<ProtocolError>(error) });
  // @ts-expect-error Overloaded is missing
  match(outcome, { ...own, protocol: () => 5 });
  // @ts-expect-error ping may not raise NotFound
  match(outcome, { ok: () => 0, NotFound: () => 1, _: () => 2 });
}
