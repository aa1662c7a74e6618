import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { mutationOptions, queryOptions } from "ridlkit-runtime/tanstack-query";
import { getPet, queryKey, rename } from "../generated/client";

const client = { url: location.origin };

export function Pet({ id }: { id: number }) {
  const cache = useQueryClient();
  const { data, error } = useQuery(queryOptions(getPet, client, { id }));
  const { mutate } = useMutation({
    ...mutationOptions(rename, client),
    onSuccess: () => cache.invalidateQueries({ queryKey: queryKey(getPet) }),
  });
  if (error) return <p>{error.name === "PetNotFound" ? "There is no such pet." : "Please try again."}</p>;
  return (
    <button type="button" onClick={() => mutate({ id, name: "Max" })}>
      {data?.pet.name ?? "…"}
    </button>
  );
}
