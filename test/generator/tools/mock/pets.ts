/** A mock of a small schema with records, a stream and a file. */
import { compile } from "../../../../generator/language/compile.ts";
import { DevServer } from "../../../../generator/tools/dev/dev-server.ts";
import { createMock, type MockedCall, type MockOptions } from "../../../../generator/tools/mock/mock.ts";
import { type LoadedContract, loadInMemory } from "../../../../generator/verify/in-memory/load.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

const schema = `webrpc = v1
name = pets
version = v1.0.0
basepath = /rpc

error 1 PetGone "The pet is gone" HTTP 404
error 2 Unauthorized "A key is needed" HTTP 401
error 3 Taken "The name is taken" HTTP 409

enum Kind: uint8
  - CAT
  - DOG

struct Pet
  - id: uint64
  - name: string
    + minLength = 1
    + example = Minka
    + example = Rex
  - kind: Kind
  - weight?: bigint
  - chip: string
    + pattern = "^[0-9A-F]{8}$"
  - owner?: string
    + format = email

struct PetInput
  - name: string
    + minLength = 1
  - kind: Kind
  - weight?: bigint

struct PetKey
  - id: uint64

struct PetAnswer
  - pet: Pet

struct PetQuery
  - kind?: Kind
  - limit?: uint32
    + default = 2
    + maximum = 100
  - page?: uint32
    + default = 1

struct PetPage
  - pets: []Pet
  - more: bool
  - total: uint32

service Pets
  @create:Pet @auth:"key" - Add(pet: PetInput) => (pet: Pet) errors Unauthorized
  @get:Pet - Get(PetKey) => (PetAnswer) errors PetGone
  @list:Pet @paging:"limit,page" - List(PetQuery) => (PetPage)
  @update:Pet - Rename(id: uint64, name?: string) => (pet: Pet) errors PetGone
  @delete:Pet - Drop(id: uint64) => () errors PetGone
  - Guess(name: string) => (kind: Kind, seen: timestamp)
  - Watch(name: string) => stream (pet: Pet)
  - Picture(name: string) => (file)
`;

/** Loads the generated code of a schema. */
export async function liveContract(text: string, int64: "bigint" | "number"): Promise<LoadedContract> {
  const { result, diagnostics } = compile("api.ridl", memoryReader({ "api.ridl": text }));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join());
  return loadInMemory({ ...result, int64 });
}

let live: Promise<LoadedContract> | undefined;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  readonly headers: Headers;
}

export const plainOptions: Omit<MockOptions, "onCall"> = {
  seed: 1,
  delayMs: 0,
  items: 3,
  itemDelayMs: 0,
  errorRate: 0,
  records: 3,
  wantsCredentials: true,
  credentialHeaders: new Map([["key", "x-key"]]),
};

export interface PetMock extends AsyncDisposable {
  readonly calls: readonly MockedCall[];
  readonly call: (method: string, body: object, headers?: Record<string, string>) => Promise<Answer>;
  readonly host: DevServer;
}

/** Serves a mock of the schema, or of another one with a service `Pets`, on a socket of its own. */
export async function serve(options: Partial<MockOptions> = {}, contract?: LoadedContract): Promise<PetMock> {
  live ??= liveContract(schema, "bigint");
  const calls: MockedCall[] = [];
  const host = new DevServer(0);
  const mock = createMock(contract ?? (await live), {
    ...plainOptions,
    onCall: (call) => calls.push(call),
    ...options,
  });
  await host.swap(mock, () => {});
  const call = async (
    method: string,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(`${host.url}/rpc/Pets/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-key": "k", ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type") === "application/json";
    return {
      status: response.status,
      body: isJson ? JSON.parse(text) : undefined,
      text,
      headers: response.headers,
    };
  };
  return { calls, call, host, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

export const cat = { name: "Tom", kind: "CAT", weight: "90071992547409931234" };
