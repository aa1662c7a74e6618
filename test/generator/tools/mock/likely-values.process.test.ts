/** Values that fit the names of fields and the request, without annotations. */
import { beforeAll, expect, test } from "vitest";
import { createMock } from "../../../../generator/tools/mock/mock.ts";
import type { LoadedContract } from "../../../../generator/verify/in-memory/load.ts";
import { liveContract, plainOptions } from "./pets.ts";

const rooms = `webrpc = v1
name = rooms
version = v1
basepath = /rpc

struct Owner
  - id: uint64
  - name: string

struct Room
  - id: uint64
  - ownerId: uint64
  - name: string
    + maxLength = 6
  - seats: uint32
    + minimum = 1
  - email: string
  - createdAt: timestamp
  - expiresAt: timestamp
  - imageURL: string
  - price: float64
  - owner: Owner
  - wallet: string
    + pattern = "^0x[0-9a-f]{40}$"

struct RoomInput
  - name: string
  - seats: uint32

service Rooms
  - GetRoom(id: uint64) => (owner: Owner, room: Room)
  - FindRoom(roomId: uint64) => (room: Room)
  - CreateRoom(input: RoomInput) => (room: Room)
  - ListRooms(ownerId: uint64, id: uint64) => (rooms: []Room)
  - WatchRoom(id: uint64) => stream (room: Room)
`;
let roomsLive: LoadedContract;

beforeAll(async () => {
  roomsLive = await liveContract(rooms, "number");
});

async function ask(method: string, body: object): Promise<Record<string, unknown>> {
  const mock = createMock(roomsLive, { ...plainOptions, onCall: () => {} });
  const fetch = roomsLive.fetchHandler(mock.own["server"] as never);
  const request = new Request(`http://mock/rpc/Rooms/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await (await fetch(request)).text();
  return JSON.parse(text.split("\n").find((line) => line !== "") ?? "") as Record<string, unknown>;
}

test("a response is about the record that the request names", async () => {
  const { room, owner } = await ask("GetRoom", { id: 3 });
  expect(room).toMatchObject({ id: 3 });
  expect(owner).not.toMatchObject({ id: 3 });
  expect(await ask("FindRoom", { roomId: 4 })).toMatchObject({ room: { id: 4 } });
  expect(await ask("WatchRoom", { id: 5 })).toMatchObject({ room: { id: 5 } });
});

test("a response has the fields that were sent, as far as it allows them", async () => {
  expect(await ask("CreateRoom", { input: { name: "Blue", seats: 7 } })).toMatchObject({
    room: { name: "Blue", seats: 7 },
  });
  const { room } = await ask("CreateRoom", { input: { name: "Blue room", seats: 0 } });
  expect(room).not.toMatchObject({ name: "Blue room" });
  expect(room).not.toMatchObject({ seats: 0 });
  expect(await ask("CreateRoom", { input: { name: "123456", seats: 1 } })).toMatchObject({
    room: { name: "123456", seats: 1 },
  });
});

test("a list has records of the named one, each with an id of its own", async () => {
  const { rooms: listed } = (await ask("ListRooms", { ownerId: 8, id: 9 })) as { rooms: { id: number }[] };
  expect(listed).toMatchObject([{ ownerId: 8 }, { ownerId: 8 }]);
  expect(listed.map(({ id }) => id)).not.toContain(9);
});

test("texts and numbers are what their names say, and the same with each run", async () => {
  const { room } = await ask("GetRoom", { id: 3 });
  expect(room).toEqual({
    id: 3,
    ownerId: expect.any(Number),
    name: expect.stringMatching(/^.{1,6}$/),
    seats: expect.any(Number),
    email: expect.stringMatching(/^[a-z]+[.][a-z]+@mail[.]example$/),
    createdAt: expect.stringMatching(/^2026-/),
    expiresAt: expect.stringMatching(/^2027-/),
    imageURL: expect.stringMatching(/^https:\/\/www[.]example[.]com\/images\/[a-z-]+[.]png$/),
    price: expect.any(Number),
    owner: { id: expect.any(Number), name: expect.stringMatching(/^[A-Z][a-z]+ [A-Z][a-z]+$/) },
    wallet: expect.stringMatching(/^0x[0-9a-f]{40}$/),
  });
  expect(await ask("GetRoom", { id: 3 })).toMatchObject({ room });
});
