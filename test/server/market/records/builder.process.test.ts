/** The Builder service over HTTP, by the generated client and by the request bodies of other clients. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Builder } from "../../../../generated/client.ts";
import type { ContractSource, ListContractSourcesRequest } from "../../../../generated/types.ts";
import type { Database } from "../../../../server/base/storage/database.ts";
import { databaseOf } from "../../../support/database.ts";
import { type Data, makeData, type RunningHost, startHost } from "../../../support/host.ts";
import { makeKey, makeSecret } from "../../../support/operator.ts";
import { seededRandom } from "../../../support/random.ts";
import fixtures from "../../../wire/builder.json" with { type: "json" };

let data: Data;
let host: RunningHost;
let database: Database;
/** Another project, with its own records. */
let foreign: { readonly projectId: number; readonly accessKey: string; readonly secretKey: string };
let readSecret: string;
let expiredSecret: string;

beforeAll(async () => {
  data = await makeData();
  host = await startHost({ data, args: ["--check-responses"] });
  database = databaseOf(data);
  const { projectId, accessKey } = await makeKey(data);
  foreign = { projectId, accessKey, secretKey: (await makeSecret(data, projectId)).secretKey };
  const read = await makeSecret(data, host.projectId, "READ");
  readSecret = read.secretKey;
  expiredSecret = await new SignJWT({ project: host.projectId, account: read.account })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuedAt()
    .setJti(read.id)
    .setExpirationTime("-5m")
    .sign(Buffer.from(readFileSync(join(data.folder, "signing-key"), "utf8"), "base64"));
  await database.query(audiences, [host.projectId, foreign.projectId]);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
  await data[Symbol.asyncDispose]();
});

/** Audience 7 has everything, 8 is deleted, 9 is large; 70 belongs to the other project and refers to the same contract. */
const audiences = `
with audiences as (
  insert into audience (id, project_id, name, created_at, updated_at, deleted_at) values
    (7, $1, 'Early birds', '2025-01-31T12:00:00.5Z', '2025-02-01T00:00:00Z', null),
    (8, $1, 'Gone', '2025-01-31T12:00:00Z', '2025-02-01T00:00:00Z', '2025-03-01T00:00:00Z'),
    (9, $1, 'Many', '2025-01-31T12:00:00Z', '2025-02-01T00:00:00Z', null),
    (70, $2, 'Theirs', '2025-01-31T12:00:00Z', '2025-02-01T00:00:00Z', null)
), contacts as (
  insert into audience_contact (id, audience_id, address, name, email, created_at, updated_at) values
    (1, 7, '0x' || repeat('a', 40), 'Ann', 'ann@example.org', '2025-01-31T12:00:00Z', '2025-01-31T12:00:00Z'),
    (2, 7, null, null, 'bob@example.org', '2025-01-31T12:00:00.123456Z', '2025-02-02T00:00:00Z'),
    (3, 70, '0x' || repeat('b', 40), 'Eve', 'eve@example.org', '2025-01-31T12:00:00Z', '2025-01-31T12:00:00Z')
), many as (
  insert into audience_contact (id, audience_id, address)
  select 1000 + each, 9, '0x' || lpad(to_hex(each), 40, '0') from generate_series(1, 10020) as each
)
insert into contract (id, project_id, contract_name, chain_id, contract_address, contract_type, source, items_contract_address, abi,
                      bytecode_hash, audience_id, created_at, updated_at) values
  (5, $1, 'Sale', 137, '0x' || repeat('c', 40), 'ERC1155', 'DEPLOYED', '0x' || repeat('d', 40), '[]', '0x' || repeat('e', 64), 7,
   '2025-01-31T12:00:00Z', '2025-01-31T12:00:00Z'),
  (4, $1, 'Linked', 1, '0x' || repeat('c', 40), 'ERC721', 'LINKED', null, null, null, 7,
   '2025-01-31T12:00:00Z', '2025-01-31T12:00:00Z'),
  (6, $2, 'Theirs', 137, '0x' || repeat('c', 40), 'ERC1155', 'LINKED', null, null, null, 70,
   '2025-01-31T12:00:00Z', '2025-01-31T12:00:00Z')`;

interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function call(
  method: string,
  body: unknown,
  { accessKey = host.accessKey, secretKey }: { accessKey?: string; secretKey?: string } = {},
): Promise<Reply> {
  const authorization = secretKey === undefined ? {} : { authorization: `BEARER ${secretKey}` };
  const response = await fetch(`${host.url}/rpc/Builder/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-access-key": accessKey, ...authorization },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Reply["body"] };
}

describe("GetAudience", () => {
  const whole = fixtures.audience;
  const withoutDetails = {
    ...whole,
    contacts: whole.contacts.map(({ name: _, email: __, ...contact }: Record<string, unknown>) => contact),
  };
  const ours = (body: unknown) =>
    JSON.parse(JSON.stringify(body).replaceAll('"$project"', String(host.projectId)));

  test.each(fixtures.asksForAudience7)("%j asks for audience 7", async (ask) => {
    expect(await call("GetAudience", ours(ask))).toEqual({ status: 200, body: ours(withoutDetails) });
  });

  test("without a secret key, names and mail addresses are omitted", async () => {
    const { body } = await call("GetAudience", { audienceId: 7 });
    expect(body).toEqual(ours(withoutDetails));
    expect(JSON.stringify(body)).not.toMatch(/example[.]org|Ann/);
  });

  test("a secret key of the project shows them, also with READ access", async () => {
    for (const secretKey of [host.secretKey, readSecret])
      expect(await call("GetAudience", { audienceId: 7 }, { secretKey })).toEqual({
        status: 200,
        body: ours(whole),
      });
  });

  test("a secret key of another project is PermissionDenied", async () => {
    const { status, body } = await call("GetAudience", { audienceId: 7 }, { secretKey: foreign.secretKey });
    expect({ status, code: body["code"] }).toEqual({ status: 403, code: 1001 });
  });

  test("an expired secret key is SessionExpired", async () => {
    const { status, body } = await call("GetAudience", { audienceId: 7 }, { secretKey: expiredSecret });
    expect({ status, code: body["code"] }).toEqual({ status: 403, code: 1002 });
  });

  test("public contact details are shown to the project's own access key only", async () => {
    await database.query("update project set public_contact_details = true where id = $1", [host.projectId]);
    expect((await call("GetAudience", { audienceId: 7 })).body).toEqual(ours(whole));
    const { body } = await call("GetAudience", { audienceId: 7 }, foreign);
    expect(body["code"]).toBe(3000);
    await database.query("update project set public_contact_details = false where id = $1", [host.projectId]);
  });

  test("at most 10,000 contacts are returned, lowest ids first, with the full count", async () => {
    const answer = await client().getAudience({ audienceId: 9 });
    expect(answer.contacts).toHaveLength(10_000);
    expect(answer.contacts[0]?.address).toBe(`0x${"1".padStart(40, "0")}`);
    expect(answer.audience.contactCount).toBe(10_020);
    const ids = answer.contacts.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  test.each([
    ["unknown", 123_456],
    ["deleted", 8],
    ["another project's", 70],
    ["the largest id", 9_007_199_254_740_991],
  ])("%s: NotFound", async (_, audienceId) => {
    for (const secretKey of [undefined, host.secretKey]) {
      const { status, body } = await call(
        "GetAudience",
        { audienceId },
        secretKey === undefined ? {} : { secretKey },
      );
      expect({ status, code: body["code"] }).toEqual({ status: 400, code: 3000 });
    }
  });

  test("another project in the body is PermissionDenied, even with an audience of that project", async () => {
    const { body } = await call("GetAudience", { projectId: foreign.projectId, audienceId: 70 });
    expect(body["code"]).toBe(1001);
  });

  test.each([[{}], [{ audienceId: -1 }], [{ audienceId: "7 or 1=1" }], [{ audienceId: 1e300 }]])(
    "%j is a bad request",
    async (ask) => {
      expect((await call("GetAudience", ask)).body["code"]).toBe(-4);
    },
  );

  test("the contact count follows additions, changes and removals", async () => {
    const count = async () => (await client().getAudience({ audienceId: 9 })).audience.contactCount;
    await database.query(
      "insert into audience_contact (id, audience_id, email) values (99999, 9, 'x@example.org')",
    );
    expect(await count()).toBe(10_021);
    await database.query("update audience_contact set name = 'X' where audience_id = 9 and address is null");
    expect(await count()).toBe(10_021);
    await database.query("delete from audience_contact where audience_id = 9 and address is null");
    expect(await count()).toBe(10_020);
  });
});

function client(): Builder {
  return new Builder({ url: host.url, headers: () => ({ "X-Access-Key": host.accessKey }) });
}

describe("ListContractSources", () => {
  const random = seededRandom(3);
  const names = ["alpha", "Beta", "beta", "ärger", "zz", ""];
  const sources = Array.from({ length: 41 }, (_, index) => ({
    id: 100 + index,
    uid: `uid-${index}`,
    // Sources of the library, of our project, and of the other project.
    owner: random.pick([null, "ours", "ours", "theirs"] as const),
    name: random.pick(names),
    createdAt: `2025-01-0${1 + random.below(5)}T00:00:00.00000${1 + random.below(3)}Z`,
    updatedAt: `2025-02-0${1 + random.below(5)}T00:00:00Z`,
  }));
  const visible = sources.filter(({ owner }) => owner !== "theirs");

  beforeAll(async () => {
    for (const { id, uid, owner, name, createdAt, updatedAt } of sources) {
      const projectId = owner === null ? null : owner === "ours" ? host.projectId : foreign.projectId;
      await database.query(
        `insert into contract_source (id, project_id, uid, contract_type, name, disabled, abi, created_at, updated_at)
         values ($1::bigint, $2, $3, 'ERC1155', $4, $1::bigint % 2 = 0, '[]', $5, $6)`,
        [id, projectId, uid, name, createdAt, updatedAt],
      );
    }
  });

  type Key = "id" | "name" | "createdAt" | "updatedAt";
  type Sort = readonly { readonly column: Key; readonly order: "ASC" | "DESC" }[];

  /** Ids in the order of a plain in-memory sort. Texts sort by code point, which for these names equals code units. */
  function expected(sort: Sort): readonly number[] {
    return visible
      .toSorted((a, b) => {
        for (const { column, order } of sort) {
          if (a[column] !== b[column]) return a[column] < b[column] === (order === "ASC") ? -1 : 1;
        }
        return a.id - b.id;
      })
      .map(({ id }) => id);
  }

  async function list(page: NonNullable<ListContractSourcesRequest["page"]>) {
    const answer = await client().listContractSources({ projectId: host.projectId, page });
    return { ...answer, ids: answer.contractSources.map(({ id }: ContractSource) => id) };
  }

  const keys: readonly Key[] = ["id", "name", "createdAt", "updatedAt"];

  test.each(keys)(
    "pages by cursor over %s contain every source once, forwards and backwards",
    async (column) => {
      const order = expected([{ column, order: "ASC" }]);
      const forwards: number[] = [];
      let answer = await list({ column, pageSize: 4 });
      forwards.push(...answer.ids);
      while (answer.page.more) {
        answer = await list({ column, pageSize: 4, after: answer.page.after });
        forwards.push(...answer.ids);
      }
      expect(forwards).toEqual(order);
      const backwards: number[] = [...answer.ids];
      do {
        answer = await list({ column, pageSize: 4, before: answer.page.before });
        backwards.unshift(...answer.ids);
      } while (answer.page.more);
      expect(backwards).toEqual(order);
    },
  );

  test("a scalar cursor skips all entries with that value", async () => {
    const { ids } = await list({ column: "name", after: "beta", pageSize: 100 });
    const last = expected([{ column: "name", order: "ASC" }]).filter(
      (id) => (visible.find((source) => source.id === id)?.name ?? "") > "beta",
    );
    expect(ids).toEqual(last);
  });

  test("numbered pages equal a plain sort, for 40 random sorts", async () => {
    for (let round = 0; round < 40; round++) {
      const sort = random
        .shuffle(keys)
        .slice(0, random.below(5))
        .map((column) => ({ column, order: random.pick(["ASC", "DESC"] as const) }));
      const pageSize = 1 + random.below(12);
      const pageNumber = 1 + random.below(5);
      const { ids, page } = await list({ page: pageNumber, pageSize, sort });
      const from = (pageNumber - 1) * pageSize;
      expect(ids, JSON.stringify({ sort, pageNumber, pageSize })).toEqual(
        expected(sort).slice(from, from + pageSize),
      );
      expect(page).toEqual({ page: pageNumber, pageSize, sort, more: from + pageSize < visible.length });
    }
  });

  test("the page of a response, sent back by an old client, yields the next page", async () => {
    const first = await call("ListContractSources", { page: { column: "createdAt", pageSize: 5 } });
    const second = await call("ListContractSources", { page: first.body["page"] });
    const ids = [first, second].flatMap(({ body }) =>
      (body["contractSources"] as ContractSource[]).map(({ id }) => id),
    );
    expect(ids).toEqual(expected([{ column: "createdAt", order: "ASC" }]).slice(0, 10));
  });

  test("the default page has 30 entries by id; disabled sources are flagged, those of the library have no project", async () => {
    const answer = await client().listContractSources({});
    expect(answer.page).toEqual({ page: 1, pageSize: 30, more: visible.length > 30, sort: [] });
    for (const source of answer.contractSources) {
      const owner = sources.find(({ id }) => id === source.id)?.owner;
      expect(source.projectId).toBe(owner === null ? undefined : host.projectId);
      expect(source.disabled).toBe(source.id % 2 === 0);
    }
  });

  test("a key of another project sees only its own sources and the library", async () => {
    const { body } = await call("ListContractSources", { page: { pageSize: 100 } }, foreign);
    const seen = (body["contractSources"] as ContractSource[]).map(({ id }) => id);
    expect(seen).toEqual(sources.filter(({ owner }) => owner !== "ours").map(({ id }) => id));
    expect((await call("ListContractSources", { projectId: host.projectId }, foreign)).body["code"]).toBe(
      1001,
    );
  });

  test.each(fixtures.pages)("$page returns $served", async ({ page, served }) => {
    const { status, body } = await call("ListContractSources", { page });
    expect(status).toBe(200);
    expect(body["page"]).toMatchObject(served);
  });

  test.each([
    [{ column: "abi" }],
    [{ column: "id; drop table project" }],
    [{ sort: [{ column: "' or 1=1 --" }] }],
    [{ column: "createdAt", after: "2025-02-30T00:00:00Z" }],
    [{ column: "createdAt", after: "2025-01-01T00:00:00+23:00" }],
    [{ column: "name", after: { name: 5 } }],
  ])("%j is InvalidArgument", async (page) => {
    const { status, body } = await call("ListContractSources", { page });
    expect({ status, code: body["code"] }).toEqual({ status: 400, code: 2000 });
  });

  test("SQL in a cursor is a plain name", async () => {
    const { ids } = await list({ column: "name", after: "'; drop table contract_source; --", pageSize: 100 });
    expect(ids).toEqual(
      expected([{ column: "name", order: "ASC" }]).filter(
        (id) => visible.find((each) => each.id === id)?.name !== "",
      ),
    );
  });
});
