import { TitleEditor, tryAgain } from "../shared/views.tsx";
import { withTitle } from "../shared/with-title.ts";
import { useRenamePhoto } from "./api/client.ts";
import { cache, photoList } from "./client.ts";
import { ApiError } from "./fetch.ts";

export function Rename({ id }: { readonly id: number }) {
  const { mutate, error } = useRenamePhoto({
    mutation: {
      onMutate: async ({ id, data: { title } }) => {
        await cache.cancelQueries({ queryKey: photoList.queryKey });
        const before = cache.getQueryData(photoList.queryKey);
        cache.setQueryData(photoList.queryKey, (data) => withTitle(data, id, title));
        return before;
      },
      onError: (_error, _variables, before) => cache.setQueryData(photoList.queryKey, before),
      onSettled: () => cache.invalidateQueries({ queryKey: photoList.queryKey }),
    },
  });
  const isTaken = error instanceof ApiError && error.body.code === "title_taken";
  return (
    <TitleEditor
      onSave={(title) => mutate({ id, data: { title } })}
      message={error && (isTaken ? `Taken: photo ${error.body.photoId} has it` : tryAgain)}
    />
  );
}
