import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RecordingFile, redact } from "../../../generator/runtime/src/recorder.ts";
import { folder } from "../../support/program.ts";

describe("recordings", () => {
  const api = {
    schemaHash: "",
    structs: {
      Pet: {
        id: "number",
        name: "text",
        isOld: "truth",
        key: "hidden",
        tags: { list: "text" },
        byName: { map: { struct: "Pet" } },
        loop: { alias: "Loop" },
      },
    },
    aliases: { Loop: { list: { alias: "Loop" } } },
    methods: {},
  } as const;

  test.each<[object, object]>([
    [
      { id: 1, name: "a" },
      { id: 1, name: "a" },
    ],
    [{ id: "-12.5" }, { id: "-12.5" }],
    [{ id: "1".repeat(400) }, { id: "1".repeat(400) }],
    [{ id: "1".repeat(401) }, { id: "[redacted]" }],
    [{ id: 5n }, { id: 5n }],
    [{ id: "a" }, { id: "[redacted]" }],
    [{ id: "" }, { id: "[redacted]" }],
    [{ name: 5 }, { name: 5 }],
    [{ name: {} }, { name: "[redacted]" }],
    [{ isOld: true }, { isOld: true }],
    [{ isOld: "true" }, { isOld: "true" }],
    [{ isOld: "false" }, { isOld: "false" }],
    [{ isOld: "no" }, { isOld: "[redacted]" }],
    [{ key: "k" }, { key: "[redacted]" }],
    [{ key: null }, { key: null }],
    [{ tags: ["a", {}] }, { tags: ["a", "[redacted]"] }],
    [{ tags: "a" }, { tags: "[redacted]" }],
    [{ byName: { x: { id: 1, key: "k" } } }, { byName: { x: { id: 1, key: "[redacted]" } } }],
    [{ byName: [] }, { byName: "[redacted]" }],
    [{ other: 1, constructor: 2 }, {}],
    [{ loop: [[], [[]]] }, { loop: [[], [[]]] }],
  ])("%o is recorded as %o", (body, expected) => {
    expect(redact(body, "Pet", api)).toEqual(expected);
  });

  test.each([
    [64, true],
    [65, false],
  ])("at %i levels, values are recorded: %s", (levels, isKept) => {
    let list: unknown = [];
    for (let level = 1; level < levels; level++) list = [list];
    expect(JSON.stringify(redact({ loop: list }, "Pet", api)).includes("redacted")).toBe(!isKept);
  });

  const line = (text: string): string => `{"service":"${text}"}\n`;

  test.each([
    [0, 1],
    [-1, 0],
  ])("a file whose limit is %i bytes beside its lines", async (more, count) => {
    using dir = folder({});
    const path = join(dir.path, "calls");
    const reasons: string[] = [];
    const maxBytes = line("é").length + 1 + more;
    const file = new RecordingFile(path, { maxBytes, onStop: (reason) => reasons.push(reason) });
    await file.append([line("é")]);
    await file.append([line("b")]);
    await file.close();
    expect(readFileSync(path, "utf8")).toBe(line("é").repeat(count));
    expect(reasons).toEqual([`the file reached its limit of ${maxBytes} bytes`]);
  });

  test.each([
    ["", line("b")],
    [line("a"), line("a") + line("b")],
    [`${line("a")}{"service":"c`, line("a") + line("b")],
    ['{"service":"c', line("b")],
    ["other text\n", undefined],
  ])("a file with %j is continued", async (before, after) => {
    using dir = folder({ calls: before });
    const reasons: string[] = [];
    const file = new RecordingFile(join(dir.path, "calls"), {
      maxBytes: 1_000,
      onStop: (reason) => reasons.push(reason),
    });
    await file.append([line("b")]);
    await file.close();
    expect(readFileSync(join(dir.path, "calls"), "utf8")).toBe(after ?? before);
    expect(reasons).toEqual(after === undefined ? ["the file is not a recording"] : []);
  });
});
