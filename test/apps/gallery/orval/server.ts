import type { RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { type Gallery, imageMaxBytes } from "../shared/gallery.ts";
import type { Comment, Photo, PhotoNotFound, PhotoPage, TitleTaken, TooLarge } from "./api/client.ts";
import {
  addPhotoBody,
  listPhotosQueryParams,
  renamePhotoBody,
  renamePhotoParams,
  uploadImageBody,
  uploadImageParams,
} from "./api/schemas.ts";

export const prefix = "/api/";

export function listener(gallery: Gallery): RequestListener {
  const app = new Hono()
    .basePath("/api")
    .get("/photos", zValidator("query", listPhotosQueryParams), (c) => {
      const { limit, after } = c.req.valid("query");
      return c.json<PhotoPage>(gallery.page(limit, after));
    })
    .post("/photos", zValidator("json", addPhotoBody), (c) => {
      const photo = c.req.valid("json");
      const holder = gallery.titled(photo.title);
      if (holder) return c.json<TitleTaken>({ code: "title_taken", photoId: holder.id }, 409);
      return c.json<Photo>(gallery.add(photo), 201);
    })
    .patch(
      "/photos/:id",
      zValidator("param", renamePhotoParams),
      zValidator("json", renamePhotoBody),
      (c) => {
        const photo = gallery.find(c.req.valid("param").id);
        if (!photo) return c.json<PhotoNotFound>({ code: "photo_not_found" }, 404);
        const { title } = c.req.valid("json");
        const holder = gallery.titled(title);
        if (holder) return c.json<TitleTaken>({ code: "title_taken", photoId: holder.id }, 409);
        return c.json<Photo>(gallery.save({ ...photo, title }));
      },
    )
    .put(
      "/photos/:id/image",
      zValidator("param", uploadImageParams),
      zValidator("form", uploadImageBody),
      (c) => {
        const photo = gallery.find(c.req.valid("param").id);
        if (!photo) return c.json<PhotoNotFound>({ code: "photo_not_found" }, 404);
        const { image } = c.req.valid("form");
        if (image.size > imageMaxBytes)
          return c.json<TooLarge>({ code: "too_large", maxBytes: imageMaxBytes }, 413);
        return c.json<Photo>(gallery.save({ ...photo, imageBytes: image.size }));
      },
    )
    .get("/comments", (c) =>
      streamSSE(c, async (stream) => {
        const after = Number(c.req.header("Last-Event-ID") ?? 0);
        for await (const comment of gallery.comments(after, c.req.raw.signal))
          await stream.writeSSE({ id: `${comment.id}`, data: JSON.stringify(comment satisfies Comment) });
      }),
    );
  return getRequestListener(app.fetch);
}
