import { expect, test } from "vitest";
import { OutgoingFile } from "../../../generator/runtime/src/server-files.ts";

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

test("a file whose caller left before it was opened closes its connection and its source", async () => {
  const events: string[] = [];
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      yield new Uint8Array(1);
    } finally {
      events.push("source closed");
    }
  }
  const source = body();
  await source.next();
  const file = new OutgoingFile({ body: source }, (_failure, isWritable) =>
    events.push(`ended ${isWritable}`),
  );
  file.cancel();
  file.open({
    write: () => true,
    end: () => events.push("sink ended"),
    destroy: () => events.push("sink destroyed"),
  });
  await new Promise(setImmediate);
  expect(events).toEqual(["ended false", "sink destroyed", "source closed"]);
});
