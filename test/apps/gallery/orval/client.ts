import { QueryClient } from "@tanstack/react-query";
import { getListPhotosInfiniteQueryOptions } from "./api/client.ts";

export const cache = new QueryClient();

export const photoList = getListPhotosInfiniteQueryOptions(
  { limit: 5 },
  { query: { initialPageParam: undefined, getNextPageParam: ({ next }) => next } },
);
