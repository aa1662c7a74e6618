import { expect, test } from "vitest";
import { OutgoingFile } from "../../../../generator/codegen/runtime/v1/outgoing-file.ts";

function dispositionOf(type: string | undefined, disposition?: "inline" | "attachment"): string | undefined {
  const reply = {
    body: new Uint8Array(),
    ...(type !== undefined && { type }),
    ...(disposition !== undefined && { disposition }),
  };
  return new OutgoingFile(reply, () => {}).headers["Content-Disposition"];
}

test.each([
  "image/png",
  "image/webp",
  "IMAGE/JPEG",
  "audio/mpeg",
  "video/mp4",
  "text/plain",
  "text/plain;charset=utf-8",
  "text/csv",
  "application/json",
  "application/pdf",
  "application/octet-stream",
  undefined,
  "no type",
])("browsers show %s", (type) => {
  expect(dispositionOf(type)).toBe("inline");
  expect(dispositionOf(type, "attachment")).toBe("attachment");
});

test.each([
  "text/html",
  "Text/HTML; charset=utf-8",
  "application/xhtml+xml",
  "image/svg+xml",
  "IMAGE/SVG+XML",
  "text/xml",
  "application/xml",
  "application/rss+xml",
  "text/javascript",
  "application/x-shockwave-flash",
  "multipart/x-mixed-replace",
  "text/plainer",
  "application/jsonp",
])("browsers save %s unless the handler says otherwise", (type) => {
  expect(dispositionOf(type)).toBe("attachment");
  expect(dispositionOf(type, "inline")).toBe("inline");
});
