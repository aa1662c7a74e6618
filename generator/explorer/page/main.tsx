import { render } from "preact";
import { readFacts } from "./state/load.ts";
import "./styles/page.css";
import { App } from "./view/app.tsx";
import { Failed } from "./view/failed.tsx";

const page = document.getElementById("page");
if (page !== null) {
  readFacts().then(
    (loaded) => render(<App loaded={loaded} />, page),
    () => render(<Failed />, page),
  );
}
