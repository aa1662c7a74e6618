import { createServer as createHttpServer } from "node:http";
import { drizzle } from "drizzle-orm/pglite";
import { nodeListener } from "ridlkit-runtime/node";
import { createServer } from "./generated/server.ts";
import { pets, petsHandlers } from "./pets.ts";

const db = drizzle();
await db.execute("CREATE TABLE pets (id integer PRIMARY KEY, name text NOT NULL, nickname text)");
await db.insert(pets).values([
  { id: 1, name: "Rex" },
  { id: 2, name: "Tom", nickname: "Tommy" },
]);
const server = createServer({ Pets: petsHandlers(db) });
createHttpServer(nodeListener(server)).listen(Number(process.env["PORT"]));
