import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import type { Config } from "../../../../server/base/config/config.ts";
import { confirm, readTime } from "../../../../server/host/admin/command.ts";

/** Confirms the deletion of project 1001, and returns what was asked, and the message of the error. */
async function answered(
  typed: string,
  { isTTY, options = {} }: { readonly isTTY: boolean; readonly options?: Readonly<Record<string, string[]>> },
): Promise<{ readonly asked: string; readonly fault: string | undefined }> {
  const stderr = Object.assign(new PassThrough({ encoding: "utf8" }), { isTTY });
  const stdin = Object.assign(Readable.from([Buffer.from(typed)]), { isTTY });
  const context = {
    config: {} as Config,
    streams: { stdin, stdout: new PassThrough(), stderr },
    database: () => Promise.reject(new Error("unused")),
  };
  const fault = await confirm(
    context,
    { positionals: ["1001"], options },
    { consequence: "project 1001 will be deleted", word: "1001" },
  ).then(
    () => undefined,
    (err: Error) => `${err.constructor.name}: ${err.message}`,
  );
  return { asked: (stderr.read() as string | null) ?? "", fault };
}

const question = "platform: project 1001 will be deleted, which cannot be undone\nTo confirm, type 1001: ";

test.each([
  ["1001\n", undefined],
  [" 1001 \n", undefined],
  ["1001", undefined],
  ["1002\n1001\n", "AdminFault: not confirmed: nothing was changed"],
  ["yes\n", "AdminFault: not confirmed: nothing was changed"],
  ["\n", "AdminFault: not confirmed: nothing was changed"],
  ["", "AdminFault: not confirmed: nothing was changed"],
])("at a terminal, the operator types the word: %j", async (typed, fault) => {
  expect(await answered(typed, { isTTY: true })).toEqual({ asked: question, fault });
});

test("elsewhere, the command fails with the consequence, and --yes confirms it", async () => {
  for (const options of [{}, { yes: ["false"] }])
    expect(await answered("1001\n", { isTTY: false, options })).toEqual({
      asked: "",
      fault:
        "UsageFault: project 1001 will be deleted, which cannot be undone; to confirm, repeat the command with --yes",
    });
  for (const isTTY of [true, false])
    expect(await answered("", { isTTY, options: { yes: ["true"] } })).toEqual({
      asked: "",
      fault: undefined,
    });
});

test.each([
  ["2027-01-31", "2027-01-31T00:00:00.000Z"],
  ["2027-01-31T12:30:05Z", "2027-01-31T12:30:05.000Z"],
  ["2028-02-29", "2028-02-29T00:00:00.000Z"],
  ["2027-02-29", undefined],
  ["2027-13-01", undefined],
  ["2027-01-31T24:00:00Z", undefined],
  ["2027-01-31T12:30", undefined],
  ["31.01.2027", undefined],
])("the time %j is %j", (text, time) => {
  expect(readTime(text)?.toISOString()).toBe(time);
});
