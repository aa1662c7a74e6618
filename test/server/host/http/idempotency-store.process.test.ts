import { expect, test } from "vitest";
import type { KeptResponse } from "../../../../generated/server.ts";
import { createSealer } from "../../../../server/base/sealer.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { createKeyStore } from "../../../../server/host/http/idempotency-store.ts";
import type { CallContext } from "../../../../server/host/services/call-context.ts";
import { migratedDatabase } from "../../../support/server.ts";
import { signingKeysOf } from "../../../support/signing-keys.ts";

const kept: KeptResponse = { fingerprint: "f", status: 200, body: "{}" };

test.each<[string, () => Promise<KeptResponse | undefined>, number]>([
  ["a response", async () => kept, 2],
  ["no response", async () => undefined, 1],
  ["an exception", () => Promise.reject(new Error("failed")), 1],
])(
  "the changes of a handler with %s are committed together with it, or undone",
  async (_, respond, projects) => {
    await using server = await migratedDatabase();
    await using database = openDatabase(
      { connectionString: server.url },
      { connections: 2, statementTimeoutMs: 60_000, namedStatements: true },
    );
    const insert = "insert into project (name) values ('made') returning id";
    const [project] = await database.query<{ id: string }>(insert);
    const projectId = Number(project?.id);
    const store = createKeyStore(createSealer(signingKeysOf(1), "test"));
    const context: CallContext = {
      caller: { projectId, keyPrefix: "AQAA", account: undefined },
      callerName: `project ${projectId}`,
      pathNetwork: undefined,
      database,
    };
    const run = store.run({ scope: "s", key: "k" }, context, async (host) => {
      await host.database.query(insert);
      return respond();
    });
    await run.catch(() => {});
    expect(await database.query("select from project where name = 'made'")).toHaveLength(projects);
    expect(await database.query("select from kept_response")).toHaveLength(projects - 1);
  },
);
