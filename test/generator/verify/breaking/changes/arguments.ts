import { type Change, change, head } from "./change.ts";

export const argumentChanges: readonly Change[] = [
  change(
    "the order of arguments",
    shop("Do(a: string, b: int32) => (c: bool)"),
    shop("Do(b: int32, a: string) => (c: bool)"),
    ["same", "same"],
  ),
  change(
    "arguments became a struct",
    shop("Do(a: string, b: int32) => (c: bool)"),
    `${head}basepath = /rpc\nstruct DoIn\n  - a: string\n  - b: int32\nstruct DoOut\n  - c: bool\nservice Shop\n  - Do(DoIn) => (DoOut)\n`,
    ["same", "same"],
  ),
  change(
    "an argument more",
    shop("Do(a: string) => (c: bool)"),
    shop("Do(a: string, b: int32) => (c: bool)"),
    ["breaks", "differs", "request-field-required"],
  ),
  change(
    "a name and a version",
    shop("Do() => (c: bool)"),
    `${head.replace("shop", "store").replace("v1.0.0", "v2.0.0")}basepath = /rpc\nservice Shop\n  - Do() => (c: bool)\n`,
    ["same", "same"],
  ),
  change(
    "a file with the request",
    shop("Do(a: string) => (c: bool)"),
    shop("Do(a: string, photo?: file) => (c: bool)"),
    ["breaks", "breaks", "request-kind-changed"],
  ),
  change(
    "a second file",
    shop("Do(photo: file) => (c: bool)"),
    shop("Do(photo: file, more: file) => (c: bool)"),
    ["breaks", "breaks", "request-files-changed"],
  ),
  change(
    "a file in place of an answer",
    shop("Do(a: string) => (c: bool)"),
    shop("Do(a: string) => (file)"),
    ["breaks", "breaks", "response-kind-changed"],
  ),
];

function shop(method: string, before = head): string {
  return `${before}basepath = /rpc\nservice Shop\n  - ${method}\n`;
}
