import type { RequestListener } from "node:http";
import { nodeListener } from "ridlkit-runtime/node";
import { type Gallery, imageMaxBytes } from "../shared/gallery.ts";
import { createServer } from "./api/server.ts";

export const prefix = "/rpc/";

export function listener(gallery: Gallery): RequestListener {
  const server = createServer({
    Gallery: {
      ListPhotos: (_ctx, { limit, after }) => gallery.page(limit, after),
      AddPhoto: (ctx, photo) => {
        const holder = gallery.titled(photo.title);
        if (holder) return ctx.errors.TitleTaken({ photoId: holder.id });
        return gallery.add(photo);
      },
      RenamePhoto: (ctx, { id, title }) => {
        const photo = gallery.find(id);
        if (!photo) return ctx.errors.PhotoNotFound();
        const holder = gallery.titled(title);
        if (holder) return ctx.errors.TitleTaken({ photoId: holder.id });
        return { photo: gallery.save({ ...photo, title }) };
      },
      UploadImage: (ctx, { id, image }) => {
        const photo = gallery.find(id);
        if (!photo) return ctx.errors.PhotoNotFound();
        if (image.size > imageMaxBytes) return ctx.errors.TooLarge({ maxBytes: imageMaxBytes });
        return { photo: gallery.save({ ...photo, imageBytes: image.size }) };
      },
      WatchComments: async function* (ctx, { after }) {
        for await (const comment of gallery.comments(after, ctx.signal)) yield { comment };
      },
    },
  });
  return nodeListener(server);
}
