import { type Logger, pino } from "pino";
import { fetchHandler } from "ridlkit-runtime/fetch";
import { memoryTransport } from "ridlkit-runtime/transport";
import { expect, test } from "vitest";
import { Pets } from "./generated/client.ts";
import { createServer, type Handlers } from "./generated/server.ts";
import { handlers } from "./handlers.ts";
import { logged } from "./logged.ts";

const own: Handlers<{ readonly log: Logger }> = {
  Pets: {
    ...handlers.Pets,
    Rename: (ctx) => {
      ctx.context.log.info("renaming");
      throw new Error("the disk is full");
    },
    Watch: async function* () {
      yield { pet: { id: 1, name: "Rex" } };
      throw new Error("the network is down");
    },
  },
};

test("a call and what its handler logs have one id, and causes are in the log only", async () => {
  const lines: { requestId: string; msg?: string; err?: { message: string } }[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const transport = memoryTransport(fetchHandler(createServer(own, logged(log))));
  const pets = new Pets({ url: "http://pets", transport });
  await pets.getPet({ id: 1 });
  await expect(pets.getPet({ id: 9 })).rejects.toThrow();
  await expect(pets.rename({ id: 1, name: "Max" })).rejects.toThrow("internal error");
  const items = pets.watch();
  await items.next();
  await expect(items.next()).rejects.toThrow("internal error");
  await expect.poll(() => lines.length).toBe(5);
  expect(lines).toMatchObject([
    { level: 30, method: "GetPet", status: 200, durationMs: expect.any(Number) },
    { level: 30, method: "GetPet", status: 404, error: "PetNotFound" },
    { level: 30, msg: "renaming" },
    { level: 50, method: "Rename", status: 500, err: { message: "the disk is full" } },
    { level: 50, method: "Watch", status: 200, err: { message: "the network is down" } },
  ]);
  expect(new Set(lines.map(({ requestId }) => requestId)).size).toBe(4);
  expect(lines[3]?.requestId).toBe(lines[2]?.requestId);
});
