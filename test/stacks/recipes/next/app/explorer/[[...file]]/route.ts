import { fetchHandler } from "ridlkit-runtime/fetch";
import { withExplorer } from "../../../generated/explorer";
import { createServer } from "../../../generated/server";
import { handlers } from "../../../handlers";

export const GET = fetchHandler(withExplorer(createServer(handlers)));
