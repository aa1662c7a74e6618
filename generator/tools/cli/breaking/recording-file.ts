import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { systemReason } from "../../../language/diagnostics/system-reason.ts";
import { type RecordedCall, readRecording } from "../../../verify/replay/recording.ts";

/** Size limit of a recording, in bytes: four times the default limit of a recorder. */
const readMaxBytes = 256 * 1024 * 1024;

/** Reads the calls of a recording; returns a message if the file is invalid. */
export function readRecordingFile(path: string, cwd: string): readonly RecordedCall[] | string {
  const absolute = resolve(cwd, path);
  try {
    if (statSync(absolute).size > readMaxBytes) return `The recording "${path}" is too large.`;
    const recording = readRecording(readFileSync(absolute, "utf8"));
    return "calls" in recording
      ? recording.calls
      : `Line ${recording.badLine} of "${path}" is not a call; expected { "service", "method", "request" }.`;
  } catch (err) {
    return `The recording "${path}" cannot be read: ${systemReason(err)}.`;
  }
}
