import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { type RecordedCall, readRecording } from "../../../verify/replay/recording.ts";
import { systemReason } from "../files/reader.ts";

/** Largest recording that is read, in bytes: four times what a recorder writes by itself. */
const readMaxBytes = 256 * 1024 * 1024;

/** The calls of a recording, or why there are none, in words. */
export function readRecordingFile(path: string, cwd: string): readonly RecordedCall[] | string {
  const absolute = resolve(cwd, path);
  try {
    if (statSync(absolute).size > readMaxBytes) return `The recording "${path}" is too large.`;
    const recording = readRecording(readFileSync(absolute, "utf8"));
    return "calls" in recording
      ? recording.calls
      : `Line ${recording.badLine} of "${path}" is no call: { "service", "method", "request" }.`;
  } catch (err) {
    return `The recording "${path}" cannot be read: ${systemReason(err)}.`;
  }
}
