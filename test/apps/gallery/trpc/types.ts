/** Mistakes, and which of them the compiler finds. `types.ts` of the other apps has the same ones. */
import { useMutation } from "@tanstack/react-query";
import { type inferProcedureOutput, initTRPC, TRPCError } from "@trpc/server";
import type { Photo } from "../shared/gallery.ts";
import { trpc } from "./client.ts";

const { procedure } = initTRPC.create();
const withoutField = procedure.query(() => ({ next: 5 }));

export const misspelledError = () =>
  // @ts-expect-error
  useMutation(trpc.renamePhoto.mutationOptions()).error?.data?.failure?.code === "TitleTakn";

export const errorOfAnotherMethod = () =>
  useMutation(trpc.renamePhoto.mutationOptions()).error?.data?.failure?.code === "TooLarge";

export const undeclaredError = procedure.mutation(() => {
  throw new TRPCError({ code: "PAYLOAD_TOO_LARGE" });
});

// @ts-expect-error
export const responseWithoutField = ({ photos }: inferProcedureOutput<typeof withoutField>) => photos;

export const misspelledUpload = (image: File) => {
  const form = new FormData();
  form.set("imge", image);
  return useMutation(trpc.uploadImage.mutationOptions()).mutate(form);
};

export const itemOfAnotherType = trpc.watchComments.subscriptionOptions(
  {},
  // @ts-expect-error
  { onData: ({ data }: { data: Photo }) => data.title },
);
