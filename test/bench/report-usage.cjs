// Preloaded into every benchmarked process: writes what the process used to file descriptor 3 as it exits.
process.on("exit", () => {
  require("node:fs").writeSync(3, JSON.stringify(process.resourceUsage()));
});
