import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";

// zod/mini has no texts of its own.
z.config(en());

export const title = z.string().check(z.minLength(1), z.maxLength(40));

export const newPhoto = z.object({
  title,
  priceCents: z.int().check(z.gte(100), z.lte(1_000_000)),
  takenOn: z.iso.date(),
});
