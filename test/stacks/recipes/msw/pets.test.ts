import { http } from "msw";
import { setupServer } from "msw/node";
import { fetchHandler } from "ridlkit-runtime/fetch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Pets } from "./generated/client.ts";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers.ts";

const serve = fetchHandler(createServer(handlers));
const network = setupServer(http.all("https://pets.example/rpc/*", ({ request }) => serve(request)));

beforeAll(() => network.listen({ onUnhandledRequest: "error" }));
afterAll(() => network.close());

test("a pet has a name", async () => {
  const pets = new Pets("https://pets.example");
  expect(await pets.getPet({ id: 1 })).toEqual({ pet: { id: 1, name: "Rex" } });
});
