/** The lower bound: Node's server, JSON.parse and JSON.stringify, without any check. */
import { createServer } from "node:http";
import { answerGetOrders, answerIsValid, getOrders, isValid } from "../cases.ts";
import { report } from "./report.mjs";

const handlers = {
  [getOrders.path]: ({ input }) => answerGetOrders(input),
  [isValid.path]: (req) => answerIsValid(req),
};

report(
  createServer((req, res) => {
    const handle = handlers[req.url ?? ""];
    if (handle === undefined || req.method !== "POST") {
      res.writeHead(404).end();
      return;
    }
    const chunks = [];
    req.on("data", (chunk) => chunks.push(chunk));
    req.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      const text = JSON.stringify(handle(body));
      res.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) });
      res.end(text);
    });
  }),
);
