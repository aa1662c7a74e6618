/** A host that returns the file that it receives, in a process of its own. Prints its port, then its peak memory for each line of input. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { createServer } from "../../fixtures/files/generated/server.ts";
import { serveWith } from "../../support/adapters.ts";

const [folder = ""] = process.argv.slice(2);
const unused = (): never => {
  throw new Error("not measured");
};
const server = createServer(
  {
    Depot: {
      Store: unused,
      StoreMany: unused,
      Submit: unused,
      Attach: unused,
      Fetch: unused,
      Export: unused,
      Read: unused,
      Turn: (_ctx, { source }) => ({ body: createReadStream(source.path), size: source.size }),
    },
  },
  { uploads: { folder, fileMaxBytes: 2 ** 31 } },
);
const { port } = await serveWith("node-http", server);
console.log(port);
for await (const _line of createInterface({ input: process.stdin })) {
  console.log(process.resourceUsage().maxRSS / 1024);
}
process.exit();
