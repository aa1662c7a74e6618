/** Mistakes, and which of them the compiler finds. `types.ts` of the other apps has the same ones. */
import { Hono } from "hono";
import {
  type Photo,
  type PhotoPage,
  type RenamePhotoMutationError,
  type TooLarge,
  uploadImage,
} from "./api/client.ts";

type Failure = Exclude<RenamePhotoMutationError, TypeError>["body"];
const app = new Hono();

// @ts-expect-error
export const misspelledError = (failure: Failure) => failure.code === "title_takn";

// @ts-expect-error
export const errorOfAnotherMethod = (failure: Failure) => failure.code === "too_large";

export const undeclaredError = app.patch("/photos/:id", (c) =>
  c.json<TooLarge>({ code: "too_large", maxBytes: 1 }, 413),
);

// @ts-expect-error
export const responseWithoutField = app.get("/photos", (c) => c.json<PhotoPage>({ next: 5 }));

// @ts-expect-error
export const misspelledUpload = (image: File) => uploadImage(1, { imge: image });

export const itemOfAnotherType = (event: MessageEvent) => JSON.parse(event.data) as Photo;
