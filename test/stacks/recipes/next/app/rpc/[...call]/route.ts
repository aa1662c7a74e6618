import { fetchHandler } from "ridlkit-runtime/fetch";
import { createServer } from "../../../generated/server";
import { handlers } from "../../../handlers";

export const POST = fetchHandler(createServer(handlers));
