import { QueryClient } from "@tanstack/react-query";
import { infiniteQueryOptions, temporaryRetries } from "ridlkit-runtime/tanstack-query";
import { listPhotos } from "./api/client.ts";

export const client = { url: location.origin };

export const cache = new QueryClient({ defaultOptions: { queries: temporaryRetries } });

export const photoList = infiniteQueryOptions(listPhotos, client, { limit: 5 });
