import { useMutation } from "@tanstack/react-query";
import { mutationOptions } from "ridlkit-runtime/tanstack-query";
import { ImagePicker, tryAgain } from "../shared/views.tsx";
import { uploadImage } from "./api/client.ts";
import { cache, client, photoList } from "./client.ts";

export function Upload({ id }: { readonly id: number }) {
  const { mutate, error } = useMutation({
    ...mutationOptions(uploadImage, client),
    onSuccess: () => cache.invalidateQueries({ queryKey: photoList.queryKey }),
  });
  return (
    <ImagePicker
      onPick={(image) => mutate({ id, image })}
      message={
        error && (error.name === "TooLarge" ? `Too large: at most ${error.data?.maxBytes} bytes` : tryAgain)
      }
    />
  );
}
