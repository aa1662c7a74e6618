import { show } from "../../../../generator/explorer/page/show.tsx";
import { LivePage } from "./live-page.tsx";
import "./live.css";

show([{ name: "live", title: "Live", View: LivePage, summary: "shows what happens" }]);
