import type { RequestListener } from "node:http";
import { initTRPC, TRPCError, tracked } from "@trpc/server";
import { createHTTPHandler } from "@trpc/server/adapters/standalone";
import * as z from "zod";
import { zfd } from "zod-form-data";
import { type Gallery, imageMaxBytes } from "../shared/gallery.ts";
import { newPhoto, title } from "./schemas.ts";

export const prefix = "/trpc/";

type Failure =
  | { readonly code: "TitleTaken"; readonly photoId: number }
  | { readonly code: "TooLarge"; readonly maxBytes: number };

class GalleryError extends TRPCError {
  readonly failure: Failure;

  constructor(code: TRPCError["code"], failure: Failure) {
    super({ code, message: failure.code });
    this.failure = failure;
  }
}

const { router, procedure } = initTRPC.create({
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    message: error.code === "INTERNAL_SERVER_ERROR" ? "unexpected error" : shape.message,
    data: { ...shape.data, failure: error instanceof GalleryError ? error.failure : null },
  }),
});

function createRouter(gallery: Gallery) {
  return router({
    listPhotos: procedure
      .input(z.object({ limit: z.int().min(1).max(50), cursor: z.int().optional() }))
      .query(({ input }) => gallery.page(input.limit, input.cursor)),
    addPhoto: procedure.input(newPhoto).mutation(({ input }) => {
      const holder = gallery.titled(input.title);
      if (holder) throw new GalleryError("CONFLICT", { code: "TitleTaken", photoId: holder.id });
      return gallery.add(input);
    }),
    renamePhoto: procedure.input(z.object({ id: z.int(), title })).mutation(({ input }) => {
      const photo = gallery.find(input.id);
      if (!photo) throw new TRPCError({ code: "NOT_FOUND" });
      const holder = gallery.titled(input.title);
      if (holder) throw new GalleryError("CONFLICT", { code: "TitleTaken", photoId: holder.id });
      return gallery.save({ ...photo, title: input.title });
    }),
    uploadImage: procedure
      .input(zfd.formData({ id: zfd.numeric(z.int()), image: zfd.file() }))
      .mutation(({ input }) => {
        const photo = gallery.find(input.id);
        if (!photo) throw new TRPCError({ code: "NOT_FOUND" });
        if (input.image.size > imageMaxBytes)
          throw new GalleryError("PAYLOAD_TOO_LARGE", { code: "TooLarge", maxBytes: imageMaxBytes });
        return gallery.save({ ...photo, imageBytes: input.image.size });
      }),
    watchComments: procedure
      .input(z.object({ lastEventId: z.string().optional() }))
      .subscription(async function* ({ input, signal }) {
        for await (const comment of gallery.comments(Number(input.lastEventId ?? 0), signal))
          yield tracked(`${comment.id}`, comment);
      }),
  });
}

export type AppRouter = ReturnType<typeof createRouter>;

export function listener(gallery: Gallery): RequestListener {
  return createHTTPHandler({ router: createRouter(gallery), basePath: prefix });
}
