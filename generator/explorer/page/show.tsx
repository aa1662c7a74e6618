import { render } from "preact";
import { loadPage } from "./state/load.ts";
import "./styles/page.css";
import type { HostPage } from "./state/host-page.ts";
import { App } from "./view/app.tsx";
import { LoadFailed } from "./view/load-failed.tsx";

/** @param pages Extra pages of the host. Only a sandbox shows them. */
export function show(pages: readonly HostPage[]): void {
  const root = document.getElementById("page");
  if (root === null) return;
  loadPage().then(
    (loaded) => render(<App loaded={loaded} pages={loaded.hostInfo.isSandbox === true ? pages : []} />, root),
    () => render(<LoadFailed />, root),
  );
}
