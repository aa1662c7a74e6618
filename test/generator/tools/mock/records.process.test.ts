/** Records that callers create, read, list, change and delete. */
import { expect, test } from "vitest";
import { cat, liveContract, serve } from "./pets.ts";

test("created records can be read, changed, listed and deleted", async () => {
  await using mock = await serve({ records: 0 });
  const made = await mock.call("Add", { pet: cat });
  expect(made).toMatchObject({ status: 200, body: { pet: { id: 1, ...cat } } });
  const { pet } = made.body as { pet: object };
  expect((await mock.call("Get", { id: 1 })).body).toEqual({ pet });
  expect((await mock.call("Rename", { id: 1, name: "Kit" })).body).toEqual({
    pet: { ...pet, name: "Kit" },
  });
  expect((await mock.call("Rename", { id: 1 })).body).toEqual({ pet: { ...pet, name: "Kit" } });
  expect((await mock.call("List", {})).body).toEqual({
    pets: [{ ...pet, name: "Kit" }],
    more: false,
    total: 1,
  });
  expect(await mock.call("Drop", { id: 1 })).toMatchObject({ status: 200, body: {} });
  for (const method of ["Get", "Drop", "Rename"])
    expect(await mock.call(method, { id: 1 })).toMatchObject({ status: 404, body: { error: "PetGone" } });
  expect((await mock.call("List", {})).body).toMatchObject({ pets: [], total: 0 });
});

test("initial records are selected by pages and by fields of the request", async () => {
  await using mock = await serve({ records: 5 });
  const ids = async (body: object): Promise<number[]> =>
    ((await mock.call("List", body)).body as { pets: { id: number }[] }).pets.map(({ id }) => id);
  expect([await ids({}), await ids({ page: 2 }), await ids({ page: 3 })]).toEqual([[1, 2], [3, 4], [5]]);
  expect((await mock.call("List", { page: 2 })).body).toMatchObject({ more: true, total: 5 });
  await mock.call("Add", { pet: { name: "Rex", kind: "DOG" } });
  const dogs = (await mock.call("List", { kind: "DOG", limit: 100 })).body as { pets: { kind: string }[] };
  expect(dogs.pets.length).toBeGreaterThan(0);
  expect(new Set(dogs.pets.map(({ kind }) => kind))).toEqual(new Set(["DOG"]));
});

test("records are found by a key in a struct of the request", async () => {
  const text = `webrpc = v1
name = pets
version = v1.0.0
basepath = /rpc
error 1 PetGone "The pet is gone" HTTP 404
struct Pet
  - id: uint64
  - name: string
service Pets
  @create:Pet - Add(name: string) => (pet: Pet)
  @get:Pet - Get(id: uint64) => (pet: Pet) errors PetGone
  @update:Pet - Change(pet: Pet) => (pet: Pet) errors PetGone
  @delete:Pet - Drop(pet: Pet) => (pet: Pet) errors PetGone
`;
  await using mock = await serve({ records: 0 }, await liveContract(text, "number"));
  expect((await mock.call("Add", { name: "Tom" })).body).toEqual({ pet: { id: 1, name: "Tom" } });
  const pet = { id: 1, name: "Kit" };
  expect(await mock.call("Change", { pet })).toMatchObject({ status: 200, body: { pet } });
  expect(await mock.call("Get", { id: 1 })).toMatchObject({ status: 200, body: { pet } });
  expect(await mock.call("Change", { pet: { ...pet, id: 2 } })).toMatchObject({ status: 404 });
  expect(await mock.call("Drop", { pet })).toMatchObject({ status: 200, body: { pet } });
  expect(await mock.call("Drop", { pet })).toMatchObject({ status: 404, body: { error: "PetGone" } });
});

test("a record that no method could return is rejected when it is sent, with the path in the request", async () => {
  const text = `webrpc = v1
name = pets
version = v1.0.0
basepath = /rpc
error 1 PetGone "The pet is gone" HTTP 404
struct Owner
  - email: string
    + pattern = "^[a-z]+@[a-z]+$"
struct Pet
  - id: uint64
  - name: string
    + maxLength = 3
  - owner?: Owner
  - nick?: string
struct NewOwner
  - email: string
struct NewPet
  - name: string
  - nick?: string
service Pets
  @create:Pet - Add(pet: NewPet) => (id: uint64)
  @get:Pet - Get(id: uint64) => (pet: Pet) errors PetGone
  @list:Pet - List() => (pets: []Pet)
  @update:Pet - Rename(id: uint64, name?: string) => (ok: bool) errors PetGone
`;
  const withGet = await liveContract(text, "number");
  const onlyList = await liveContract(text.replace("@get:Pet ", ""), "number");
  for (const contract of [withGet, onlyList]) {
    await using mock = await serve({ records: 0 }, contract);
    expect(await mock.call("Add", { pet: { name: "Kitty" } })).toMatchObject({
      status: 400,
      body: {
        error: "WebrpcBadRequest",
        cause: expect.stringMatching(
          /^the mock could not return this record: \/pet\/name: expected text of at most 3 characters/,
        ),
      },
    });
    const added = await mock.call("Add", { pet: { name: "Kit" } });
    expect(added).toMatchObject({ status: 200 });
    if (contract === withGet)
      expect(await mock.call("Rename", { ...(added.body as object), name: "Kitty" })).toMatchObject({
        status: 400,
        body: { cause: expect.stringContaining(": /name: expected") },
      });
    expect(await mock.call("List", {})).toMatchObject({ status: 200, body: { pets: [{ name: "Kit" }] } });
  }
});

test("a change of a field in a group removes the other fields", async () => {
  const group = (name: string): string => `  - ${name}?: string\n    + oneOf = home`;
  const text = `webrpc = v1
name = pets
version = v1.0.0
basepath = /rpc
error 1 PetGone "The pet is gone" HTTP 404
struct Pet
  - id: uint64
${group("owner")}
${group("shelter")}
struct Home
${group("owner")}
${group("shelter")}
service Pets
  @create:Pet - Add(owner: string) => (pet: Pet)
  @get:Pet - Get(id: uint64) => (pet: Pet) errors PetGone
  @update:Pet - Move(id: uint64, home: Home) => (pet: Pet) errors PetGone
`;
  await using mock = await serve({ records: 0 }, await liveContract(text, "number"));
  expect((await mock.call("Add", { owner: "Ann" })).body).toEqual({ pet: { id: 1, owner: "Ann" } });
  const moved = { pet: { id: 1, shelter: "Rex House" } };
  expect((await mock.call("Move", { id: 1, home: { shelter: "Rex House" } })).body).toEqual(moved);
  expect((await mock.call("Get", { id: 1 })).body).toEqual(moved);
});

test("a record keeps a field of each group if the request has none or null", async () => {
  const patch = (name: string): string => `  - ${name}?: string\n    + nullable = always`;
  const member = (name: string): string => `  - ${name}?: string\n    + oneOf = mark`;
  const text = `webrpc = v1
name = pets
version = v1.0.0
basepath = /rpc
error 1 PetGone "The pet is gone" HTTP 404
struct Pet
  - id: uint64
${member("chip")}
${member("tattoo")}
struct Patch
${patch("chip")}
${patch("tattoo")}
service Pets
  @create:Pet - Add(chip?: string, tattoo?: string) => (pet: Pet)
  @get:Pet - Get(id: uint64) => (pet: Pet) errors PetGone
  @update:Pet - Mark(id: uint64, patch: Patch) => (pet: Pet) errors PetGone
`;
  await using mock = await serve({ records: 0 }, await liveContract(text, "number"));
  for (const id of [1, 2, 3, 4]) expect(await mock.call("Add", {})).toMatchObject({ body: { pet: { id } } });
  const marked = async (given: object) => (await mock.call("Mark", { id: 1, patch: given })).body;
  const [chip, tattoo] = [{ pet: { id: 1, chip: "c" } }, { pet: { id: 1, tattoo: "t" } }];
  expect(await marked({ chip: null, tattoo: "t" })).toEqual(tattoo);
  expect(await marked({ chip: "c" })).toEqual(chip);
  expect(await marked({ chip: null })).toEqual(chip);
});

test("a change of the kind removes the fields of the other kinds", async () => {
  const text = `webrpc = v1
name = pets
version = v1.0.0
basepath = /rpc
error 1 PetGone "The pet is gone" HTTP 404
enum Home: string
  - owner
  - shelter
struct Pet
  - id: uint64
${kindFields}
struct Move
${kindFields}
service Pets
  @create:Pet - Add(home: Move) => (pet: Pet)
  @get:Pet - Get(id: uint64) => (pet: Pet) errors PetGone
  @update:Pet - Change(id: uint64, move: Move) => (pet: Pet) errors PetGone
`;
  await using mock = await serve({ records: 0 }, await liveContract(text, "number"));
  expect((await mock.call("Add", { home: { home: "owner", name: "Ann" } })).body).toEqual({
    pet: { id: 1, home: "owner", name: "Ann" },
  });
  const moved = { pet: { id: 1, home: "shelter", cage: 7 } };
  expect((await mock.call("Change", { id: 1, move: { home: "shelter", cage: 7 } })).body).toEqual(moved);
  expect((await mock.call("Get", { id: 1 })).body).toEqual(moved);
});

const kindFields = `  - home: Home
  - name?: string
    + when = home.owner
  - cage?: uint8
    + when = home.shelter`;

test("a patch by a derived struct changes the fields that it sets; a broken rule is reported with its text", async () => {
  const text = `webrpc = v1
name = pets
version = v1.0.0
basepath = /rpc
error 1 PetGone "The pet is gone" HTTP 404
type PetId: uint64
  + brand = true
type NewPet: Pet
  + omit = id
type PetPatch: NewPet
  + partial = true
type PetName: Pet
  + pick = id
  + pick = name
struct Pet
  - id: PetId
  - name: string
    + maxLength = 5
    + message = "Please use 5 letters."
  - age: uint8
service Pets
  @create:Pet - Add(pet: NewPet) => (pet: Pet)
  @get:Pet - Get(id: PetId) => (pet: Pet) errors PetGone
  @update:Pet - Change(id: PetId, patch: PetPatch) => (pet: Pet) errors PetGone
  @list:Pet - List() => (pets: []PetName)
`;
  await using mock = await serve({ records: 0 }, await liveContract(text, "number"));
  expect((await mock.call("Add", { pet: { name: "Tom", age: 3 } })).body).toEqual({
    pet: { id: 1, name: "Tom", age: 3 },
  });
  const changed = { pet: { id: 1, name: "Tom", age: 4 } };
  expect((await mock.call("Change", { id: 1, patch: { age: 4 } })).body).toEqual(changed);
  expect((await mock.call("Get", { id: 1 })).body).toEqual(changed);
  expect(await mock.call("Change", { id: 1, patch: { name: "Thomas" } })).toMatchObject({
    status: 400,
    body: { issues: [{ message: "Please use 5 letters.", path: ["patch", "name"] }] },
  });
  expect((await mock.call("List", {})).body).toEqual({ pets: [{ id: 1, name: "Tom" }] });
});
