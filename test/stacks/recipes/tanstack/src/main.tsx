import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { retryTemporary } from "ridlkit-runtime/tanstack-query";
import { Pet } from "./pet";

const cache = new QueryClient({ defaultOptions: { queries: retryTemporary } });
const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <QueryClientProvider client={cache}>
      <Pet id={1} />
    </QueryClientProvider>,
  );
