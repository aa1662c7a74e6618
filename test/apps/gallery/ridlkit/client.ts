import { QueryClient } from "@tanstack/react-query";
import { infiniteQueryOptions, retryTemporary } from "ridlkit-runtime/tanstack-query";
import { listPhotos } from "./api/client.ts";

export const client = { url: location.origin };

export const cache = new QueryClient({ defaultOptions: { queries: retryTemporary } });

export const photoList = infiniteQueryOptions(listPhotos, client, { limit: 5 });
