/** Mistakes, and which of them the compiler finds. `types.ts` of the other apps has the same ones. */
import { type FailureOf, type renamePhoto, uploadImage, watchComments } from "./api/client.ts";
import type { GalleryHandlers } from "./api/server.ts";
import type { Photo } from "./api/types.ts";
import { client } from "./client.ts";

type Failure = FailureOf<typeof renamePhoto>;

// @ts-expect-error
export const misspelledError = (error: Failure): boolean => error.name === "TitleTakn";

// @ts-expect-error
export const errorOfAnotherMethod = (error: Failure): boolean => error.name === "TooLarge";

// @ts-expect-error
export const undeclaredError: GalleryHandlers["RenamePhoto"] = (ctx) => ctx.errors.TooLarge({ maxBytes: 1 });

// @ts-expect-error
export const responseWithoutField: GalleryHandlers["ListPhotos"] = () => ({ next: 5 });

// @ts-expect-error
export const misspelledUpload = (image: File): unknown => uploadImage(client, { id: 1, imge: image });

// @ts-expect-error
export const itemOfAnotherType = (): AsyncIterable<{ photo: Photo }> => watchComments(client, { after: 0 });
