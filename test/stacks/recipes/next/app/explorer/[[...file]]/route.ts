import { withExplorer } from "../../../generated/explorer";
import { fetchHandler } from "../../../generated/runtime/v1/fetch";
import { createServer } from "../../../generated/server";
import { handlers } from "../../../handlers";

export const GET = fetchHandler(withExplorer(createServer(handlers)));
