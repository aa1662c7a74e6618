#!/usr/bin/env node
import { serveUntilStopped } from "./serve.ts";
import { tellBrokenOutput } from "./standard-streams.ts";

/** Flags make a host; a word is a command of its operator. */
const argv = process.argv.slice(2);
const isHost = argv[0] === undefined || argv[0].startsWith("-");
tellBrokenOutput({ exitCode: isHost ? 0 : 1 });
if (isHost) await serveUntilStopped(argv);
else {
  const { runAdmin } = await import("./admin/admin.ts");
  const { out, err, code } = await runAdmin(argv, process.env);
  process.stdout.write(out);
  process.stderr.write(err);
  process.exitCode = code;
}
