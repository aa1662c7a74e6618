import { QueryClient } from "@tanstack/react-query";
import { listPhotos } from "./api/client.ts";
import { infiniteQueryOptions, temporaryRetries } from "./api/runtime/v1/tanstack-query.ts";

export const client = { url: location.origin };

export const cache = new QueryClient({ defaultOptions: { queries: temporaryRetries } });

export const photoList = infiniteQueryOptions(listPhotos, client, { limit: 5 });
