import { show } from "../../../../generator/explorer/page/show.tsx";
import { lazy } from "../../../../generator/explorer/page/view/parts.tsx";
import "./live.css";

/** Loaded when it is opened: the first page does not need it. */
const LivePage = lazy(() => import("./live-page.tsx").then((file) => file.LivePage));

show([{ name: "live", title: "Live", View: LivePage, summary: "shows what happens" }]);
