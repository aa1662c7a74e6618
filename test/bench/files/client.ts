/** Sends a file to a host and reads it back, in a process of its own. Prints the number of bytes and its peak memory. */
import { openAsBlob } from "node:fs";
import { turn } from "../../fixtures/files/generated/client.ts";

const [url = "", path = ""] = process.argv.slice(2);
const { stream } = await turn({ url }, { source: await openAsBlob(path) });
const reader = stream.getReader();
let bytes = 0;
for (let part = await reader.read(); !part.done; part = await reader.read()) bytes += part.value.byteLength;
console.log(`${bytes} ${process.resourceUsage().maxRSS / 1024}`);
