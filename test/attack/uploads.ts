import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type AttackedHost, startAttackedHost } from "../support/attacked-host.ts";
import { postBytes } from "../support/open-loop.ts";
import { parseAnswer, rawExchange } from "../support/raw-http.ts";

const slowSenders = 200;
const validCalls = 45;
const bodyMaxBytes = 1_048_576;

/** Announces bodies of the largest size, and sends 2 bytes a second: half with an access key, half without. */
function announceLargeBodies({ port, headers }: AttackedHost): Socket[] {
  return Array.from({ length: slowSenders }, (_, index) => {
    const key = index % 2 === 0 ? `X-Access-Key: ${headers["X-Access-Key"]}\r\n` : "";
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {}).resume();
    socket.write(
      `POST /rpc/API/IsValidTypedDataSignature HTTP/1.1\r\nHost: a\r\n${key}Content-Type: application/json\r\nContent-Length: ${bodyMaxBytes}\r\n\r\n{`,
    );
    return socket;
  });
}

/** A valid call with a body of 32 KiB. Unknown fields are ignored. */
function largeCall(headers: AttackedHost["headers"]): Buffer {
  const body = JSON.stringify({ padding: "x".repeat(32_768) });
  return postBytes("/rpc/API/Ping", body, { ...headers, Connection: "close" });
}

/** Sends valid calls beside slow senders from the same address. Every valid call must succeed. */
export async function reportUploads(): Promise<readonly string[]> {
  await using attacked = await startAttackedHost(["--connections-per-address", "256"]);
  const call = largeCall(attacked.headers);
  const sockets = announceLargeBodies(attacked);
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write("  ");
  }, 1_000);
  await sleep(1_000);
  const statuses: number[] = [];
  for (let sent = 0; sent < validCalls; sent++) {
    statuses.push(parseAnswer(await rawExchange(attacked.port, call)).status);
    await sleep(200);
  }
  clearInterval(timer);
  for (const socket of sockets) socket.destroy();
  const succeeded = statuses.filter((status) => status === 200).length;
  console.log(
    `${slowSenders} senders of 2 bytes a second, each of a body of 1 MiB: ${succeeded} of ${validCalls} valid calls succeeded`,
  );
  return succeeded === validCalls
    ? []
    : [`${validCalls - succeeded} of ${validCalls} valid calls were refused`];
}
