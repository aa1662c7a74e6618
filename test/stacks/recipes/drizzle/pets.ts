import { asc, eq } from "drizzle-orm";
import { integer, pgTable, text } from "drizzle-orm/pg-core";
import type { PgliteDatabase } from "drizzle-orm/pglite";
import type { PetsHandlers } from "./generated/server.ts";

export const pets = pgTable("pets", { id: integer().primaryKey(), name: text().notNull(), nickname: text() });

export const petsHandlers = (db: PgliteDatabase): PetsHandlers => ({
  GetPet: async (ctx, { id }) => {
    const [pet] = await db.select().from(pets).where(eq(pets.id, id));
    return pet === undefined ? ctx.errors.PetNotFound() : { pet };
  },
  Rename: async (ctx, { id, name }) => {
    const [pet] = await db.update(pets).set({ name }).where(eq(pets.id, id)).returning();
    return pet === undefined ? ctx.errors.PetNotFound() : { pet };
  },
  async *Watch() {
    for (const pet of await db.select().from(pets).orderBy(asc(pets.id))) yield { pet };
  },
});
