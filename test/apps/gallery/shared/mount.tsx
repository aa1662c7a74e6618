import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { Page } from "./views.tsx";

export function mount(
  cache: QueryClient,
  parts: { readonly list: ReactNode; readonly form: ReactNode; readonly live: ReactNode },
): void {
  const root = document.getElementById("root");
  if (root)
    createRoot(root).render(
      <QueryClientProvider client={cache}>
        <Page {...parts} />
      </QueryClientProvider>,
    );
}
