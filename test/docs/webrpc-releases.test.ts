import { expect, test } from "vitest";
import { webrpcReleases } from "../../generator/codegen/emit/text.ts";
import { readPage } from "../support/docs.ts";

test.each(["README.md", "schema/README.md", "docs/moving-from-webrpc-gen.md"])(
  "%s names the covered releases of webrpc",
  (page) => {
    const { oldest, newest } = webrpcReleases;
    expect(readPage(page)).toContain(`chemas of webrpc ${oldest} to ${newest}`);
  },
);
