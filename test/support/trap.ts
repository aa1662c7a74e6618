import { createServer } from "node:net";

/** An address where nobody should ever come by. */
export interface Trap {
  readonly url: string;
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

export async function listenTrap(): Promise<Trap> {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    connections: () => connections,
    close: () => new Promise((done) => server.close(() => done())),
  };
}
