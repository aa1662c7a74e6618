import { fetchHandler } from "ridlkit-runtime/fetch";
import { memoryTransport } from "ridlkit-runtime/transport";
import { expect, test } from "vitest";
import { Pets } from "./generated/client.ts";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers.ts";

const transport = memoryTransport(fetchHandler(createServer(handlers)));
const pets = new Pets({ url: "http://pets", transport });

test("a pet has a name", async () => {
  expect(await pets.getPet({ id: 1 })).toEqual({ pet: { id: 1, name: "Rex" } });
});
