import { ImagePicker, tryAgain } from "../shared/views.tsx";
import { useUploadImage } from "./api/client.ts";
import { cache, photoList } from "./client.ts";
import { ApiError } from "./fetch.ts";

export function Upload({ id }: { readonly id: number }) {
  const { mutate, error } = useUploadImage({
    mutation: { onSuccess: () => cache.invalidateQueries({ queryKey: photoList.queryKey }) },
  });
  const isTooLarge = error instanceof ApiError && error.body.code === "too_large";
  return (
    <ImagePicker
      onPick={(image) => mutate({ id, data: { image } })}
      message={error && (isTooLarge ? `Too large: at most ${error.body.maxBytes} bytes` : tryAgain)}
    />
  );
}
