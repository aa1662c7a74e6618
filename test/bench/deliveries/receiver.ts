/** A receiver in a process of its own, as real ones are: it answers each call with 204. Its address is the first thing that it prints. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer((req, res) => {
  req.resume();
  req.once("end", () => res.writeHead(204).end());
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}/hook`);
});
