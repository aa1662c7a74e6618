import type { Handlers } from "./generated/server.ts";

const pets = new Map([
  [1, { id: 1, name: "Rex" }],
  [2, { id: 2, name: "Tom" }],
]);

export const handlers: Handlers = {
  Pets: {
    GetPet: (ctx, { id }) => {
      const pet = pets.get(id);
      return pet === undefined ? ctx.errors.PetNotFound() : { pet };
    },
    Rename: (ctx, { id, name }) => (pets.has(id) ? { pet: { id, name } } : ctx.errors.PetNotFound()),
    Watch: async function* () {
      for (const pet of pets.values()) yield { pet };
    },
  },
};
