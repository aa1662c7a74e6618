import { expect, test } from "vitest";
import { ClientVersions, readClient } from "../../../../server/host/observability/events.ts";

test.each([
  [
    "webrpc@v0.44.0;gen-typescript@v0.30.0;platform@v0.1.0",
    { version: "v0.1.0", generator: "gen-typescript v0.30.0" },
  ],
  ["gen@v1; platform@v0.1.0", { version: "v0.1.0", generator: "gen v1" }],
  ["platform@v0.1.0", { version: "v0.1.0", generator: "" }],
  ["webrpc@v0.44.0;gen@v1;Other@v0.1.0", undefined],
  ["webrpc@v0.44.0;gen@v1;platform@", undefined],
  [undefined, undefined],
])("the client of the header %j", (header, client) => {
  expect(readClient(header)).toEqual(client);
});

test.each(["v1.2.3", "1.2", "v2", "v1.0.0-rc.1", "v0.0.0-449b5", "999999.0.0"])(
  "%s is a label",
  (version) => {
    expect(new ClientVersions().labelOf(version, true)).toBe(version);
  },
);

test.each(["", "main", "v1.2.3.4", "v1.2.3-", `v1.0.0-${"x".repeat(21)}`, "9999999.0.0", 'v1"} 1\n'])(
  "%j counts as other",
  (version) => {
    expect(new ClientVersions().labelOf(version, true)).toBe("other");
  },
);

test("there are labels for 20 versions, and one for callers without a version", () => {
  const versions = new ClientVersions();
  const labels = Array.from({ length: 22 }, (_, index) => versions.labelOf(`v1.${index}.0`, true));
  expect(labels.slice(18)).toEqual(["v1.18.0", "v1.19.0", "other", "other"]);
  expect(versions.labelOf("v1.0.0", true)).toBe("v1.0.0");
  expect(versions.labelOf(undefined, true)).toBe("none");
});

test("a call that fails adds no version, but counts for a known one", () => {
  const versions = new ClientVersions();
  expect(versions.labelOf("v1.0.0", false)).toBe("other");
  expect(versions.labelOf("v1.0.0", true)).toBe("v1.0.0");
  expect(versions.labelOf("v1.0.0", false)).toBe("v1.0.0");
});
