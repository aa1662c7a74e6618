/** The part of the package `ws` that the sandbox uses. */
declare module "ws" {
  import type { IncomingMessage } from "node:http";
  import type { Duplex } from "node:stream";

  export class WebSocket {
    constructor(url: string);
    on(event: "message", listener: (data: Buffer, isBinary: boolean) => void): this;
    on(event: "open" | "close", listener: () => void): this;
    on(event: "error", listener: (err: Error) => void): this;
    send(text: string): void;
    terminate(): void;
  }

  export class WebSocketServer {
    constructor(options: { readonly noServer: true; readonly maxPayload: number });
    handleUpgrade(
      req: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      accept: (client: WebSocket) => void,
    ): void;
  }
}
