import { render, type VNode } from "preact";
import { loadPage } from "./state/load.ts";
import "./styles/page.css";
import type { HostPage } from "./state/route.ts";
import { App } from "./view/app.tsx";

/** @param pages Extra pages of the host. Only a sandbox shows them. */
export function show(pages: readonly HostPage[]): void {
  const root = document.getElementById("page");
  if (root === null) return;
  // Preact would keep the text of index.html.
  const showOnly = (page: VNode): void => {
    root.replaceChildren();
    render(page, root);
  };
  loadPage().then(
    (loaded) => showOnly(<App loaded={loaded} pages={loaded.hostInfo.isSandbox === true ? pages : []} />),
    () => showOnly(<LoadFailed />),
  );
}

/** Shown if the host does not respond while the page loads. */
function LoadFailed() {
  return (
    <main class="alone">
      <h1>The contract could not be read</h1>
      <p>
        No response from <code>{location.host}</code>, or an invalid one. Start the server again, then{" "}
        <a href={location.pathname}>reload this page</a>.
      </p>
    </main>
  );
}
