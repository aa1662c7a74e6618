import { useMutation } from "@tanstack/react-query";
import { ImagePicker, tryAgain } from "../shared/views.tsx";
import { cache, photoList, trpc } from "./client.ts";

export function Upload({ id }: { readonly id: number }) {
  const { mutate, error } = useMutation(
    trpc.uploadImage.mutationOptions({
      onSuccess: () => cache.invalidateQueries({ queryKey: photoList.queryKey }),
    }),
  );
  const failure = error?.data?.failure;
  const upload = (image: File) => {
    const form = new FormData();
    form.set("id", `${id}`);
    form.set("image", image);
    mutate(form);
  };
  return (
    <ImagePicker
      onPick={upload}
      message={
        error && (failure?.code === "TooLarge" ? `Too large: at most ${failure.maxBytes} bytes` : tryAgain)
      }
    />
  );
}
