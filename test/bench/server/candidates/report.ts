import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens on any port, says which, and answers every message with the processor time used so far, in microseconds. */
export function report(server: Server): void {
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicros: user + system });
  });
}
