import { useInfiniteQuery } from "@tanstack/react-query";
import { Photos, tryAgain } from "../shared/views.tsx";
import { photoList } from "./client.ts";
import { Rename } from "./rename.tsx";
import { Upload } from "./upload.tsx";

export function List() {
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery(photoList);
  return (
    <Photos
      photos={data?.pages.flatMap(({ photos }) => photos) ?? []}
      message={error && tryAgain}
      onMore={hasNextPage ? () => fetchNextPage() : undefined}
      actions={(photo) => (
        <>
          <Rename id={photo.id} />
          <Upload id={photo.id} />
        </>
      )}
    />
  );
}
