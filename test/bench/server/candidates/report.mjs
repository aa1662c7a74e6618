/** Listens on a free port and reports it. Responds to every message with the CPU time used so far, in microseconds. */
export function report(server) {
  server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send({ cpuMicros: user + system });
  });
}
