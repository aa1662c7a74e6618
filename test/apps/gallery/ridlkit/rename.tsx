import { useMutation } from "@tanstack/react-query";
import { mutationOptions } from "ridlkit-runtime/tanstack-query";
import { TitleEditor, tryAgain } from "../shared/views.tsx";
import { withTitle } from "../shared/with-title.ts";
import { renamePhoto } from "./api/client.ts";
import { cache, client, photoList } from "./client.ts";

export function Rename({ id }: { readonly id: number }) {
  const { mutate, error } = useMutation({
    ...mutationOptions(renamePhoto, client),
    onMutate: async ({ id, title }) => {
      await cache.cancelQueries({ queryKey: photoList.queryKey });
      const before = cache.getQueryData(photoList.queryKey);
      cache.setQueryData(photoList.queryKey, (data) => withTitle(data, id, title));
      return before;
    },
    onError: (_error, _request, before) => cache.setQueryData(photoList.queryKey, before),
    onSettled: () => cache.invalidateQueries({ queryKey: photoList.queryKey }),
  });
  return (
    <TitleEditor
      onSave={(title) => mutate({ id, title })}
      message={
        error && (error.name === "TitleTaken" ? `Taken: photo ${error.data?.photoId} has it` : tryAgain)
      }
    />
  );
}
