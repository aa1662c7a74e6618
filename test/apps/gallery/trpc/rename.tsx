import { useMutation } from "@tanstack/react-query";
import { TitleEditor, tryAgain } from "../shared/views.tsx";
import { withTitle } from "../shared/with-title.ts";
import { cache, photoList, trpc } from "./client.ts";

export function Rename({ id }: { readonly id: number }) {
  const { mutate, error } = useMutation(
    trpc.renamePhoto.mutationOptions({
      onMutate: async ({ id, title }) => {
        await cache.cancelQueries({ queryKey: photoList.queryKey });
        const before = cache.getQueryData(photoList.queryKey);
        cache.setQueryData(photoList.queryKey, (data) => withTitle(data, id, title));
        return before;
      },
      onError: (_error, _input, before) => cache.setQueryData(photoList.queryKey, before),
      onSettled: () => cache.invalidateQueries({ queryKey: photoList.queryKey }),
    }),
  );
  const failure = error?.data?.failure;
  return (
    <TitleEditor
      onSave={(title) => mutate({ id, title })}
      message={
        error && (failure?.code === "TitleTaken" ? `Taken: photo ${failure.photoId} has it` : tryAgain)
      }
    />
  );
}
