/** A gallery of photos in the browser, on ridlkit, orval and tRPC. */
import type { App } from "./rows.ts";

export type Stack = "ridlkit" | "orval" | "trpc";

export const gallery: App<Stack, "exception" | "silence"> = {
  folder: "gallery",
  stacks: { ridlkit: "ridlkit", orval: "orval", trpc: "tRPC" },
  parts: [
    [
      "contract and configuration",
      ["schema.ridl", "ridlkit.config.json", "openapi.yaml", "orval.config.ts", "schemas.ts"],
      "orval accepts fractions for integers unless the document has `multipleOf: 1`",
    ],
    [
      "server",
      ["server.ts"],
      "Only ridlkit rejects errors that the method does not list. In plain Hono, each handler must name its response type. tRPC needs a line that hides the texts of exceptions",
    ],
    ["client", ["client.ts", "fetch.ts"], "Only ridlkit has a timeout by default; the others need a line"],
    ["list, page by page", ["list.tsx"], "none"],
    ["form", ["form.tsx"], "the same as for the contract"],
    ["upload", ["upload.tsx"], "tRPC does not check the names of form fields"],
    ["rename, optimistic", ["rename.tsx"], "tRPC: the page sees the errors of all methods"],
    ["live comments", ["live.tsx"], "orval: the page casts the items"],
  ],
  mistakes: {
    misspelledError: "the page misspells the name of an error",
    errorOfAnotherMethod: "the page handles an error that only another method has",
    undeclaredError: "a handler returns an error that its method does not declare",
    responseWithoutField: "a handler forgets a field that the page shows",
    misspelledUpload: "the page misspells the field of a file",
    itemOfAnotherType: "the page expects items of another type in a stream",
  },
  behavior: {
    exception: {
      label: "the text of an exception that a handler throws by mistake",
      ridlkit: "hidden",
      orval: "hidden",
      trpc: "hidden by a line of its server",
    },
    silence: {
      label: "the new title, if the server does not respond",
      ridlkit: "rolled back after 30 s",
      orval: "kept while the page waits",
      trpc: "kept while the page waits",
    },
  },
};
