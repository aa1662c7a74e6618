#!/usr/bin/env node
import { serveUntilStopped } from "./serve.ts";

/** Flags make a host; a word is a command of its operator. */
const argv = process.argv.slice(2);
if (argv[0] === undefined || argv[0].startsWith("-")) await serveUntilStopped(argv);
else {
  const { runAdmin } = await import("./admin/admin.ts");
  const { out, err, code } = await runAdmin(argv, process.env);
  process.stdout.write(out);
  process.stderr.write(err);
  process.exitCode = code;
}
