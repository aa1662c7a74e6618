/** Requests that servers get over each adapter, as sent. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Issue } from "../../../../generator/runtime/src/errors.ts";
import type { CallLog } from "../../../../generator/runtime/src/options.ts";
import { createServer } from "../../../fixtures/shop/generated/server.ts";
import { adapterNames, type RunningServer, serveWith } from "../../../support/adapters.ts";
import { type RawAnswer, type RawRequest, rawRequest } from "../../../support/raw-http.ts";
import { shopHandlers } from "../shop.ts";

/** A request as sent, and the expected response. `cause` is compared exactly if given. */
export interface Row extends Partial<RawRequest> {
  readonly fact: string;
  readonly code?: number;
  readonly status?: number;
  readonly cause?: string;
  /** Paths of the issues. None if absent. */
  readonly paths?: readonly (readonly (string | number)[])[];
  readonly answer?: unknown;
}

export const item = "/v2/rpc/Shop/GetItem";
export const ping = "/v2/rpc/Shop/Ping";
export const echo = "/v2/rpc/Shop/Echo";

/** A server of the shop over one adapter. */
export interface ShopServer {
  readonly port: () => number;
  readonly logs: readonly CallLog[];
}

/** Sends each row over each adapter. `more` adds tests of the same server. */
export function describeWire(about: string, rows: readonly Row[], more: (server: ShopServer) => void): void {
  describe.each(adapterNames)(`${about}, over %s`, (adapter) => {
    let running: RunningServer;
    const logs: CallLog[] = [];

    beforeAll(async () => {
      running = await serveWith(adapter, createServer(shopHandlers, { onResponse: (log) => logs.push(log) }));
    });
    afterAll(() => running[Symbol.asyncDispose]());

    test.each(rows.map((row) => [row.fact, row] as const))("%s", async (_fact, row) => {
      const answer = await rawRequest(running.port, { path: item, ...row });
      if (row.code === undefined) expectSuccess(answer, row.answer);
      else expectFailure(answer, row);
      expect(logs.at(-1)).toMatchObject({
        status: answer.status,
        error: row.code === undefined ? undefined : { code: row.code },
      });
    });

    more({ port: () => running.port, logs });
  });
}

const names: Readonly<Record<number, readonly [string, string]>> = {
  [-2]: ["WebrpcBadRoute", "bad route"],
  [-3]: ["WebrpcBadMethod", "bad method"],
  [-4]: ["WebrpcBadRequest", "bad request"],
  20: ["NotFound", "there is no such thing"],
  21: ["SoldOut", "sold `out`"],
};

function expectSuccess(answer: RawAnswer, body: unknown): void {
  expect(answer.status).toBe(200);
  expectHeaders(answer);
  expect(JSON.parse(answer.body)).toEqual(body);
}

function expectFailure(answer: RawAnswer, { code = 0, status = 400, cause, paths }: Row): void {
  expect(answer.status).toBe(status);
  expectHeaders(answer);
  const body = JSON.parse(answer.body) as { readonly cause?: string; readonly issues?: readonly Issue[] };
  const [error, msg] = names[code] ?? [];
  const told = code === -4 ? { cause: cause ?? body.cause } : cause === undefined ? {} : { cause };
  const { issues, ...rest } = body;
  expect(rest).toEqual({ error, code, msg, status, ...told });
  expect(issues?.map(({ path }) => path)).toEqual(paths);
}

function expectHeaders({ headers, body }: RawAnswer): void {
  expect(headers["content-type"]).toMatch(/^application\/json/);
  expect(headers["webrpc"]).toMatch(/^webrpc@v[\d.]+;ridlkit@[^;]+;Shop@v0\.3\.0$/);
  expect(Number(headers["content-length"])).toBe(Buffer.byteLength(body));
}
