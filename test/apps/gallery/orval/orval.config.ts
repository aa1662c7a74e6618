import { defineConfig } from "orval";

export default defineConfig({
  client: {
    input: "openapi.yaml",
    output: {
      target: "api/client.ts",
      client: "react-query",
      httpClient: "fetch",
      baseUrl: "/api",
      override: {
        mutator: { path: "fetch.ts", name: "customFetch" },
        fetch: { includeHttpResponseReturnType: false },
        operations: { listPhotos: { query: { useInfinite: true, useInfiniteQueryParam: "after" } } },
      },
    },
  },
  schemas: {
    input: "openapi.yaml",
    output: {
      target: "api/schemas.ts",
      client: "zod",
      override: { zod: { coerce: { param: true, query: true } } },
    },
  },
});
