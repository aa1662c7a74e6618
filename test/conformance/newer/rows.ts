/**
 * A rule of webrpc after v0.44, which the recorded parser does not know: the fact, the schema below its header, and the expected
 * diagnostics as codes. Without an error the schema is accepted.
 */
export type NewerRow = readonly [fact: string, text: string, ...codes: string[]];

export const newerHeader = "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n";
