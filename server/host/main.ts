#!/usr/bin/env node
import { handleBrokenOutput } from "./standard-streams.ts";

/** Flags start a host; a word is a command for its operator. */
const argv = process.argv.slice(2);
const isHost = argv[0] === undefined || argv[0].startsWith("-");
handleBrokenOutput({ exitCode: isHost || argv[0] === "demo" ? 0 : 1 });
if (isHost) {
  const { serveUntilStopped } = await import("./run-host.ts");
  await serveUntilStopped(argv);
} else if (argv[0] === "demo") {
  const { runDemo } = await import("./demo/command.ts");
  await runDemo(argv.slice(1), process.env);
} else {
  const { runAdmin } = await import("./admin/admin.ts");
  const { out, err, code } = await runAdmin(argv, process.env);
  process.stdout.write(out);
  process.stderr.write(err);
  process.exitCode = code;
}
