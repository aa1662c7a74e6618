import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Data, makeDataFolder, type RunningHost, startHost } from "../../../support/host.ts";
import { startServer, type TestServer } from "../../../support/server.ts";

/** Of the host, so that the tests still work while the host cannot. */
const role = "app";

let server: TestServer;
let data: Data;
let host: RunningHost;

beforeAll(async () => {
  server = await startServer();
  await sql(`create role ${role} login; grant create on schema public to ${role}`);
  const url = server.url.replace(/(?<=:\/\/)[^@]*/, role);
  // Only a followed network has listeners. Nothing listens at its node.
  const details = { 137: { rpcUrls: ["http://127.0.0.1:1"], follow: {} } };
  const env = { DATABASE_URL: url, SANDBOX: "true", NETWORK_DETAILS: JSON.stringify(details) };
  data = { ...makeDataFolder(), env };
  host = await startHost({ data, args: ["--no-sandbox-chain", "--networks", "polygon"] });
});
afterAll(async () => {
  for (const opened of [host, data, server]) await opened?.[Symbol.asyncDispose]();
});

async function sql(statement: string): Promise<void> {
  const isInside = /webhook_listener|schema|function/.test(statement);
  const client = new pg.Client(isInside ? server.url : server.url.replace(/postgres$/, "template1"));
  await client.connect();
  await client.query(statement);
  await client.end();
}

const endConnections = () =>
  sql(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);

async function call(method: string): Promise<readonly unknown[]> {
  const response = await fetch(`${host.url}/polygon/rpc/Indexer/${method}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-access-key": host.accessKey,
      authorization: `BEARER ${host.secretKey}`,
    },
    body: "{}",
  });
  const { cause } = (await response.json()) as { readonly cause?: string };
  return [response.status, cause];
}

const read = () => call("GetAllWebhookListeners");
const write = () => call("PauseAllWebhookListeners");

async function ready(): Promise<readonly unknown[]> {
  const response = await fetch(`${host.adminUrl}/readyz`);
  const { checks, warnings } = (await response.json()) as {
    readonly checks: { readonly database: string };
    readonly warnings?: readonly string[];
  };
  return [checks.database, warnings];
}

const refuse = `
  create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'a secret' using errcode = '53100'; end $$;
  create trigger refuse before update on webhook_listener execute function refuse()`;

describe.each([
  {
    text: "the database is read-only",
    begin: `alter role ${role} set default_transaction_read_only = on`,
    end: `alter role ${role} reset default_transaction_read_only`,
    isDown: false,
  },
  {
    text: "the database's disk is full",
    begin: refuse,
    end: "drop function refuse cascade",
    isDown: false,
  },
  {
    text: "the database denies a permission",
    begin: `revoke update on webhook_listener from ${role}`,
    end: `grant update on webhook_listener to ${role}`,
    isDown: false,
  },
  {
    text: "the database rejects the login",
    begin: `alter role ${role} nologin`,
    end: `alter role ${role} login`,
    isDown: true,
  },
  {
    text: "the database has no free connection",
    begin: `alter role ${role} connection limit 0`,
    end: `alter role ${role} connection limit -1`,
    isDown: true,
  },
  {
    text: "the database refuses or ends connections",
    begin: "alter database postgres allow_connections false",
    end: "alter database postgres allow_connections true",
    isDown: true,
  },
])("while $text", ({ text, begin, end, isDown }) => {
  test("calls, /readyz, metrics and the log say so", async () => {
    await sql(begin);
    await endConnections();
    await expect.poll(write).toEqual([503, text]);
    if (isDown) expect(await read()).toEqual([503, text]);
    await expect.poll(ready).toEqual([isDown ? text : "ok", expect.arrayContaining([text])]);
    const metrics = await fetch(`${host.adminUrl}/metrics`).then((response) => response.text());
    expect(metrics).toContain(`platform_database_problem{problem="${text}"} 1`);
    expect(metrics).toMatch(new RegExp(`^platform_database_up ${isDown ? 0 : 1}$`, "m"));
    const lines = host.err().split("\n");
    expect(lines.filter((line) => line.includes(`"msg":"${text}; `))).toHaveLength(1);
    const logged = lines.filter(
      (line) => line.includes('"msg":"call"') && line.includes(`"cause":"${text}"`),
    );
    expect(logged).not.toEqual([]);
    await sql(end);
    await endConnections();
    await expect.poll(write).toEqual([200, undefined]);
  });
});
