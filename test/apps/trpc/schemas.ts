import * as z from "zod";

export const title = z.string().min(1).max(40);

export const newPhoto = z.object({
  title,
  priceCents: z.int().min(100).max(1_000_000),
  takenOn: z.iso.date(),
});
