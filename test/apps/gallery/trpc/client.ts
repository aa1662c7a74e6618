import { QueryClient } from "@tanstack/react-query";
import { createTRPCClient, httpLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import type { AppRouter } from "./server.ts";

const url = "/trpc";

export const cache = new QueryClient();

export const trpc = createTRPCOptionsProxy<AppRouter>({
  queryClient: cache,
  client: createTRPCClient({
    links: [
      splitLink({
        condition: ({ type }) => type === "subscription",
        true: httpSubscriptionLink({ url }),
        false: httpLink({ url }),
      }),
    ],
  }),
});

export const photoList = trpc.listPhotos.infiniteQueryOptions(
  { limit: 5 },
  { getNextPageParam: ({ next }) => next },
);
