import { http } from "msw";
import { setupServer } from "msw/node";
import { mockFetch } from "ridlkit/mock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Pets } from "./generated/client.ts";
import type { Handlers } from "./generated/server.ts";

const serve = await mockFetch<Handlers>({
  handlers: { Pets: { GetPet: (_ctx, { id }) => ({ pet: { id, name: "Rex" } }) } },
});
const network = setupServer(http.all("https://pets.example/rpc/*", ({ request }) => serve(request)));

beforeAll(() => network.listen({ onUnhandledRequest: "error" }));
afterAll(() => network.close());

test("a pet has a name", async () => {
  const pets = new Pets("https://pets.example");
  expect(await pets.getPet({ id: 1 })).toEqual({ pet: { id: 1, name: "Rex" } });
});
