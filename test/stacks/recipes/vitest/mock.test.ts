import { mockFetch } from "ridlkit/mock";
import { memoryTransport } from "ridlkit-runtime/transport";
import { expect, test } from "vitest";
import { Pets } from "./generated/client.ts";
import type { Handlers } from "./generated/server.ts";

const serve = await mockFetch<Handlers>({
  handlers: {
    Pets: { Rename: (ctx, { id, name }) => (id > 2 ? ctx.errors.PetNotFound() : { pet: { id, name } }) },
  },
});
const pets = new Pets({ url: "http://pets", transport: memoryTransport(serve) });

test("a mock has values of the schema, and handlers of its own", async () => {
  expect(await pets.getPet({ id: 7 })).toMatchObject({ pet: { id: 7, name: expect.any(String) } });
  expect(await pets.rename({ id: 1, name: "Rex" })).toEqual({ pet: { id: 1, name: "Rex" } });
  await expect(pets.rename({ id: 3, name: "Rex" })).rejects.toMatchObject({ name: "PetNotFound" });
});
