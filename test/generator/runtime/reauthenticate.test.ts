import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Call, Client, Interceptor } from "../../../generator/runtime/src/client.ts";
import { chain, reauthenticate, result, withResponse } from "../../../generator/runtime/src/client.ts";
import type { Transport } from "../../../generator/runtime/src/transport.ts";
import { getOrders, ping } from "../../fixtures/market/generated/client.ts";

/** A server that accepts one token, and a client whose token has expired. */
class Session {
  accepted = "t1";
  token = "t0";
  renewals = 0;
  readonly sent: string[] = [];
  renew: (client: Client) => unknown = async () => {
    await sleep(20);
    this.token = this.accepted;
  };
  readonly #transport: Transport = async (_url, { headers, signal }) => {
    const token = headers["authorization"] ?? "";
    this.sent.push(token);
    await sleep(5, undefined, signal ? { signal } : {});
    if (token === this.accepted) return new Response('{"orders":[]}');
    return new Response('{"webrpc":true,"error":"Unauthorized","code":1000,"msg":"expired"}', {
      status: 401,
    });
  };
  readonly client: Client = {
    url: "https://a.example",
    transport: this.#transport,
    headers: () => ({ Authorization: this.token }),
    interceptor: reauthenticate((client) => {
      this.renewals++;
      return this.renew(client);
    }),
  };
}

describe("reauthenticate", () => {
  test("renews once for concurrent calls, and repeats each of them", async () => {
    const session = new Session();
    const calls = Array.from({ length: 50 }, () => getOrders(session.client, { ids: [] }));
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 50 }, () => ({ orders: [] })));
    expect(session.renewals).toBe(1);
    expect(session.sent).toEqual([...Array(50).fill("t0"), ...Array(50).fill("t1")]);
  });

  test("does not renew again for a call that was sent before the renewal ended", async () => {
    const session = new Session();
    session.renew = () => {
      session.token = session.accepted;
    };
    const slow: Client = {
      ...session.client,
      transport: async (url, init) => {
        const response = await session.client.transport?.(url, init);
        if (init.headers["authorization"] === "t0") await sleep(30);
        return response ?? Response.error();
      },
    };
    await Promise.all([ping(slow), ping(session.client)]);
    expect(session.renewals).toBe(1);
  });

  test("renews again when the new credentials expire", async () => {
    const session = new Session();
    await ping(session.client);
    session.accepted = "t2";
    await ping(session.client);
    expect([session.renewals, session.sent]).toEqual([2, ["t0", "t1", "t1", "t2"]]);
  });

  test("repeats a call once: new credentials that are rejected, too, are an error", async () => {
    const session = new Session();
    session.renew = () => {};
    const { error } = await result(ping(session.client));
    expect([error?.name, session.renewals, session.sent.length]).toEqual(["Unauthorized", 1, 2]);
  });

  test("throws what `renew` throws to all calls sent before, and tries again for later ones", async () => {
    const session = new Session();
    const { renew } = session;
    const failure = new Error("no network");
    session.renew = () => {
      throw failure;
    };
    const outcomes = await Promise.allSettled([ping(session.client), ping(session.client)]);
    expect(outcomes).toEqual([1, 2].map(() => ({ status: "rejected", reason: failure })));
    expect(session.renewals).toBe(1);
    session.renew = renew;
    expect(await ping(session.client)).toEqual({ orders: [] });
  });

  test("clients with their own credentials do not share a renewal, even if they share the interceptor", async () => {
    const renewed: string[] = [];
    const tokens: Record<string, string> = { ann: "old", ben: "old" };
    const interceptor = reauthenticate(async ({ headers }) => {
      const { name = "" } = (await headers?.({} as Call)) ?? {};
      renewed.push(name);
      await sleep(20);
      tokens[name] = "new";
    });
    const transport: Transport = async (_url, { headers: { token } }) => {
      await sleep(5);
      return token === "new"
        ? new Response('{"orders":[]}')
        : new Response('{"error":"Unauthorized","code":1000}', { status: 401 });
    };
    const [ann, ben] = ["ann", "ben"].map((name): Client => {
      const headers = () => ({ name, token: tokens[name] ?? "" });
      return { url: "https://a.example", transport, headers, interceptor };
    });
    if (ann === undefined || ben === undefined) throw new Error("no clients");
    await Promise.all([
      getOrders(ann, { ids: [] }),
      getOrders(ben, { ids: [] }),
      // Copies of a client have its credentials.
      getOrders({ ...ann, timeoutMs: 1_000 }, { ids: [] }),
      withResponse(getOrders, ben, { ids: [] }),
    ]);
    expect(renewed).toEqual(["ann", "ben"]);
  });

  test("clients without headers share a renewal", async () => {
    let renewals = 0;
    const interceptor = reauthenticate(async () => {
      await sleep(20);
      renewals++;
    });
    const transport: Transport = async () =>
      renewals > 0
        ? new Response("{}")
        : new Response('{"error":"Unauthorized","code":1000}', { status: 401 });
    const client: Client = { url: "https://a.example", transport, interceptor };
    await Promise.all([ping(client), ping({ ...client })]);
    expect(renewals).toBe(1);
  });

  test("the timeout of a call includes both attempts and the renewal", async () => {
    const session = new Session();
    const timeouts: number[] = [];
    const noting: Interceptor = (call, next) => {
      timeouts.push(call.timeoutMs);
      return next(call);
    };
    const { interceptor } = session.client;
    if (interceptor === undefined) throw new Error("no interceptor");
    const client: Client = { ...session.client, interceptor: chain(interceptor, noting) };
    await ping(client, {}, { timeoutMs: 10_000 });
    // The renewal takes 20 ms. Timers may be early by less than a millisecond.
    expect(timeouts).toEqual([10_000, expect.toSatisfy((ms: number) => ms > 0 && ms <= 9_981)]);
    session.accepted = "t2";
    await ping(client, {}, { timeoutMs: 0 });
    expect(timeouts.slice(2)).toEqual([0, 0]);
  });

  test("passes a client whose calls do not wait for the renewal", async () => {
    const session = new Session();
    session.renew = async (client) => {
      expect((await result(ping(client))).error?.name).toBe("Unauthorized");
      session.token = session.accepted;
    };
    expect(await ping(session.client)).toEqual({ orders: [] });
    expect(session.renewals).toBe(1);
  });

  test("does not wait longer than the call's timeout", async () => {
    const session = new Session();
    session.renew = () => new Promise(() => {});
    const { error } = await result(ping(session.client, {}, { timeoutMs: 50 }));
    expect([error?.name, error?.cause]).toEqual(["WebrpcRequestFailed", "timeout of the renewal"]);
  });

  test("stops waiting when the call is aborted", async () => {
    const session = new Session();
    const controller = new AbortController();
    session.renew = () => {
      controller.abort("page left");
      return new Promise(() => {});
    };
    const { error } = await result(ping(session.client, {}, { signal: controller.signal, timeoutMs: 0 }));
    expect([error?.name, error?.cause]).toEqual(["WebrpcClientDisconnected", "page left"]);
  });

  test("leaves other failures alone, and takes a condition", async () => {
    const session = new Session();
    let renewals = 0;
    const interceptor = reauthenticate(
      () => {
        renewals++;
        session.token = session.accepted;
      },
      ({ name }) => name === "SessionExpired",
    );
    const { error } = await result(ping({ ...session.client, interceptor }));
    expect([error?.name, renewals]).toEqual(["Unauthorized", 0]);
    const byName = reauthenticate(
      () => {
        session.token = session.accepted;
      },
      ({ name }) => name === "Unauthorized",
    );
    expect(await ping({ ...session.client, interceptor: byName })).toEqual({ orders: [] });
  });
});
