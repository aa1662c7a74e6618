import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { show } from "../../../../generator/explorer/page/show.tsx";
import "./live.css";

show([{ name: "live", title: "Live", View: LivePage, summary: "shows what happens" }]);

/** Loaded when it is opened: the first page does not need it. */
function LivePage() {
  const [loaded, setLoaded] = useState<{ readonly Page: ComponentType } | "failed">();
  useEffect(() => {
    import("./live-page.tsx").then(
      ({ LivePage: Page }) => setLoaded({ Page }),
      // The server has been rebuilt, and the file has another name now.
      () => setLoaded("failed"),
    );
  }, []);
  if (loaded === "failed") return <p class="alone">Reload the page.</p>;
  return loaded === undefined ? <p class="alone">Loading…</p> : <loaded.Page />;
}
