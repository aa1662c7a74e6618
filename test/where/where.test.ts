import { expect, test } from "vitest";
import { search } from "./search.ts";
import { readSource } from "./source.ts";

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

export interface Letter {
  /** In grams. */
  readonly weight: number;
}

export class Mailbox {
  /** Adds a letter. */
  #add(): void {
    // A second box would confuse the postman.
    throw new Error("the lid does not close");
  }
}
`;

const mail = readSource("server/mail.ts", text);

test("a file and each of its declarations have a comment, a name and a line", () => {
  expect(mail.declarations).toEqual([
    { line: 1, comment: "Sends mail." },
    { line: 5, name: "maxSubject", comment: "Longest subject, in characters." },
    { line: 11, name: "shortened", comment: "Returns a subject that fits. Cuts long ones." },
    { line: 15, name: "Letter", comment: "" },
    { line: 17, name: "Letter.weight", comment: "In grams." },
    { line: 20, name: "Mailbox", comment: "" },
    { line: 22, name: "Mailbox.#add", comment: "Adds a letter." },
  ]);
});

test("comments inside functions are read once, and so are texts and names", () => {
  expect(mail.comments.match(/postman/g)).toHaveLength(1);
  expect(mail.comments.match(/Sends mail/g)).toHaveLength(1);
  expect(mail.texts).toBe("the lid does not close");
  expect(mail.identifiers.split(" ")).toEqual(
    expect.arrayContaining(["maxSubject", "subject", "slice", "weight"]),
  );
});

test("a comment right before the first declaration is not one of the file", () => {
  const { declarations } = readSource("a.ts", "/** A limit. */\nexport const limit = 1;\n");
  expect(declarations).toEqual([{ line: 2, name: "limit", comment: "A limit." }]);
});

const post = readSource(
  "server/post.ts",
  "/** Sends parcels. A subject is optional. */\nexport const parcel = 1;\n",
);

test.each([
  ["sending mails", "Sends mail."],
  ["longest subjects", "Longest subject, in characters."],
  ["the box confuses a postman", undefined],
  ["lids that do not close", undefined],
  ["adds letters", "Adds a letter."],
  ["weight", "In grams."],
])("%j finds the file, and its declaration first", (words, comment) => {
  const [first] = search([post, mail], words, 10);
  expect(first?.path).toBe("server/mail.ts");
  expect(first?.declarations[0]?.comment).toBe(comment);
});

test("there are at most as many files as asked for, and none for words that no file contains", () => {
  expect(search([post, mail], "subject", 10)).toHaveLength(2);
  expect(search([post, mail], "subject", 1)).toHaveLength(1);
  expect(search([post, mail], "zebra", 10)).toEqual([]);
});
