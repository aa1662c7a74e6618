/** A proxy on loopback that disturbs connections as networks do: it cuts, delays, half-closes, stalls and splits them. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Random } from "../../support/random.ts";

/** Disturbances of a connection. The last two last as long as the connection, which is then cut as well. */
export type Harm = (typeof harms)[number];
const harms = ["cut", "reset", "end answer", "end request", "stall", "delay", "split"] as const;

export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** Number of times by kind. */
  readonly tally: ReadonlyMap<Harm, number>;
  /** Open connections, both sides. */
  open(): number;
}

/** Maximum number of bytes before a response is broken off: about thirty items. */
const mostBytes = 3_000;

/** Every connection breaks off eventually, so that a long response needs many. */
export async function startProxy(target: number, random: Random): Promise<Proxy> {
  const tally = new Map<Harm, number>();
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (caller) => {
    const host = connect({ port: target, host: "127.0.0.1", allowHalfOpen: true });
    for (const socket of [caller, host]) {
      sockets.add(socket);
      // An error is followed by the close.
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    const harm = random.pick(harms);
    tally.set(harm, (tally.get(harm) ?? 0) + 1);
    relay(caller, host, harm, random);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    tally,
    open: () => sockets.size,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function relay(caller: Socket, host: Socket, harm: Harm, random: Random): void {
  let left = random.below(mostBytes);
  let isOver = false;
  caller.on("data", (chunk) => host.write(chunk));
  caller.on("end", () => {
    host.end();
    // A client that left after the disturbance needs no further action.
    if (isOver) caller.destroy();
  });
  caller.on("close", () => host.destroy());
  host.on("end", () => caller.end());
  host.on("close", () => caller.destroySoon());
  host.on("data", (chunk) => {
    if (isOver) return;
    const part = chunk.subarray(0, left);
    left -= part.length;
    if (harm === "split") for (const piece of pieces(part, random)) caller.write(piece);
    else caller.write(part);
    if (harm === "delay" || caller.writableNeedDrain) {
      host.pause();
      if (harm === "delay") setTimeout(() => host.resume(), random.below(20));
      else caller.once("drain", () => host.resume());
    }
    if (left > 0) return;
    isOver = true;
    breakOff(caller, host, harm);
  });
}

function breakOff(caller: Socket, host: Socket, harm: Harm): void {
  switch (harm) {
    case "reset":
      caller.resetAndDestroy();
      host.resetAndDestroy();
      return;
    case "end answer":
      // As if the host had ended: the rest of its response is dropped.
      caller.end();
      host.resume();
      return;
    case "end request":
      // As if the caller had sent everything and still listened.
      host.end();
      setTimeout(() => caller.destroy(), 20);
      return;
    case "stall":
      // Stops sending without closing.
      host.pause();
      return;
    default:
      caller.destroy();
      host.destroy();
  }
}

/** Splits the bytes into at most a hundred chunks of 1 to 7 bytes. */
function pieces(bytes: Buffer, random: Random): readonly Buffer[] {
  const found: Buffer[] = [];
  let from = 0;
  while (from < bytes.length && found.length < 100) {
    const to = from + 1 + random.below(7);
    found.push(bytes.subarray(from, to));
    from = to;
  }
  return [...found, bytes.subarray(from)];
}
