import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { allDeclarations, declarationsIn } from "./declarations.ts";
import { search, stem } from "./search.ts";

const text = `/** Sends mail. */
import { connect } from "./smtp.ts";

/** Longest subject, in characters. */
const maxSubject = 80;

/**
 * Returns a subject that fits.
 * Cuts long ones.
 */
export function shortened(subject: string): string {
  return subject.slice(0, maxSubject);
}

export class Mailbox {
  /** Adds a letter. */
  #add(): void {
    throw new Error("the box is full");
  }
}
`;

test("a file and each of its declarations have a comment, a name and a line", () => {
  expect(declarationsIn("server/mail.ts", text)).toEqual([
    { path: "server/mail.ts", line: 1, text: "Sends mail.", literals: "" },
    {
      path: "server/mail.ts",
      line: 5,
      name: "maxSubject",
      text: "Longest subject, in characters.",
      literals: "",
    },
    {
      path: "server/mail.ts",
      line: 11,
      name: "shortened",
      text: "Returns a subject that fits. Cuts long ones.",
      literals: "",
    },
    { path: "server/mail.ts", line: 15, name: "Mailbox", text: "", literals: "the box is full" },
    {
      path: "server/mail.ts",
      line: 17,
      name: "Mailbox.#add",
      text: "Adds a letter.",
      literals: "the box is full",
    },
  ]);
});

test("a comment right before the first declaration is not one of the file", () => {
  const [first] = declarationsIn("a.ts", "/** A limit. */\nexport const limit = 1;\n");
  expect(first).toMatchObject({ name: "limit", text: "A limit." });
});

test.each([
  [["sends", "mail"], "server/mail.ts", undefined],
  [["longest", "subjects"], "server/mail.ts", "maxSubject"],
  [["mailbox"], "server/mail.ts", "Mailbox"],
  [["box", "full"], "server/mail.ts", "Mailbox"],
  [["adding", "letters"], "server/mail.ts", "Mailbox.#add"],
  [["returns", "subject"], "server/mail.ts", "shortened"],
])("%j finds %s %s", (words, path, name) => {
  const other = declarationsIn(
    "server/post.ts",
    "/** Sends letters. A subject is optional. */\nexport const letter = 1;\n",
  );
  expect(search([...other, ...declarationsIn("server/mail.ts", text)], words)[0]?.declaration).toMatchObject(
    name === undefined ? { path } : { path, name },
  );
});

test("words of no declaration find nothing", () => {
  expect(search(declarationsIn("server/mail.ts", text), ["zebra"])).toEqual([]);
});

const declarations = allDeclarations(fileURLToPath(new URL("../..", import.meta.url)));

test.each([
  ["stream items explorer keeps", "generator/explorer/page/call/send.ts"],
  ["init npm scripts", "generator/tools/init/stacks/shared.ts"],
  ["gas of a pool in a split", "server/wallets/swaps/choose-plan.ts"],
  ["invalid lines shown by import", "server/host/admin/import-export/fault-list.ts"],
  ["overloaded retry after", "server/host/http/overloaded.ts"],
])("in the sources, %j finds %s", (words, path) => {
  expect(search(declarations, words.split(" "))[0]?.declaration.path).toBe(path);
});

test.each([
  ["rejects", "rejected"],
  ["stop", "stopped"],
  ["address", "addresses"],
  ["retries", "retry"],
  ["quote", "quotes"],
])("%s and %s are one word", (one, other) => {
  expect(stem(one)).toBe(stem(other));
});
