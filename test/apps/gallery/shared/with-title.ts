import type { InfiniteData } from "@tanstack/react-query";
import type { Photo } from "./gallery.ts";

/** The pages of a list after a photo got another title. */
export function withTitle<Page extends { readonly photos: readonly Photo[] }, Param>(
  data: InfiniteData<Page, Param> | undefined,
  id: number,
  title: string,
): InfiniteData<Page, Param> | undefined {
  return (
    data && {
      ...data,
      pages: data.pages.map((page) => ({
        ...page,
        photos: page.photos.map((photo) => (photo.id === id ? { ...photo, title } : photo)),
      })),
    }
  );
}
