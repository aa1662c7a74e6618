/** The page for any contract. */
import { show } from "./show.tsx";

show([]);
