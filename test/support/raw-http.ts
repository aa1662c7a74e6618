import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** One request on a connection of its own, sent exactly as written. */
export async function rawRequest(port: number, request: RawRequest): Promise<RawAnswer> {
  const { method = "POST", path, headers = {}, body = "" } = request;
  const bytes = Buffer.from(body as string);
  const all = { Host: "test", Connection: "close", "Content-Type": "application/json", ...headers };
  const length = "Transfer-Encoding" in all ? {} : { "Content-Length": String(bytes.length) };
  const lines = Object.entries({ ...length, ...all }).filter(([, value]) => value !== "");
  const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  return parseAnswer(await rawExchange(port, Buffer.concat([Buffer.from(head), bytes])));
}

/** Sends bytes and collects all that comes back until the connection ends. */
export function rawExchange(port: number, bytes: Uint8Array | string): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setEncoding("utf8");
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
  });
}

export function parseAnswer(text: string): RawAnswer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(statusLine.split(" ")[1]), headers, body: rest.join("\r\n\r\n") };
}
