/** A raw server in a process of its own, so that its work is not counted. It reads the body and returns a constant. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { cases } from "./cases.ts";

const answers = new Map(
  Object.values(cases)
    .flatMap(({ path, answer }) => [[path, answer] as const, ...otherProtocols(path, answer)])
    .map(([path, answer]) => [path, Buffer.from(JSON.stringify(answer))]),
);

/** What servers of oRPC, tRPC and Connect respond for the same call. */
function otherProtocols(path: string, answer: object): readonly (readonly [path: string, answer: object])[] {
  const name = path.replace("/rpc/", "");
  return [
    [`/orpc/${name}`, { json: answer }],
    [`/trpc/${name.replace("/", ".")}`, { result: { data: answer } }],
    [`/connect/bench.${name}`, answer],
  ];
}

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    const body = answers.get(request.url ?? "") ?? Buffer.from("{}");
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length }).end(body);
  });
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
