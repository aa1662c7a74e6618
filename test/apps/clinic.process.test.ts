/** The clinic on ridlkit and oRPC: its client calls its server. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { readPage } from "../support/docs.ts";
import { clinic as app, messages, type Stack } from "./clinic.ts";
import { appsFolder, stacksOf } from "./rows.ts";
import { compile, generate, type Host, importOf, isInstalled, serve } from "./stacks.ts";

const { behavior } = app;
const stacks = stacksOf(app);

/** `desk.ts` of each stack. The test passes invalid values, too. */
interface Desk {
  doctors(): Promise<readonly { readonly id: number; readonly name: string }[]>;
  register(values: object): Promise<Submitted>;
  patch(id: number, patch: object): Promise<unknown>;
  book(appointment: object): Promise<string>;
}

interface Submitted {
  readonly messages: Readonly<Record<string, readonly string[]>>;
  readonly made: { readonly id: number } | undefined;
}

const contact = { name: "Charles", phone: "0171" };
const ada = { name: "Ada", born: "1990-01-31", email: "ada@example.com", contacts: [contact] };
const byCard = { method: "card", number: "4242424242424242", holder: "Ada" };
const byTransfer = { method: "transfer", iban: "DE02120300000000202051" };
const byBoth = { ...byTransfer, ...byCard };

const tryAgain = "Something went wrong. Please try again.";

describe.runIf(isInstalled)("the clinic on two stacks", () => {
  beforeAll(async () => {
    await Promise.all(stacks.map((stack) => generate(`clinic/${stack}`)));
  });

  test("compiles, apart from the mistakes in types.ts", () => compile(app));

  describe.each(stacks)("%s", (stack) => {
    test("books appointments that do not overlap, paid by one of two methods", async () => {
      await using host = await open(stack);
      const desk = await deskOf(stack, host);
      const doctors = await desk.doctors();
      expect(doctors).toEqual([
        { id: 1, name: "Dr. Gray" },
        { id: 2, name: "Dr. House" },
      ]);
      const patientId = await registered(desk);
      const slot = { patientId, doctorId: 1, day: "2030-01-31", hour: 9 };
      expect(await desk.book({ ...slot, payment: byCard })).toBe("Appointment 1, paid by card 4242.");
      expect(await desk.book({ ...slot, hour: 10, payment: byTransfer })).toBe(
        "Appointment 2, paid by account 2051.",
      );
      expect(await desk.book({ ...slot, payment: byCard })).toBe("Taken by appointment 1 of patient 1.");
      expect(await desk.book({ ...slot, doctorId: 2, payment: byCard })).toBe(
        "Appointment 3, paid by card 4242.",
      );
      expect(await desk.book({ ...slot, patientId: 9, payment: byCard })).toBe("There is no such patient.");
    });

    test("rejects days that do not exist, payments by no method, and other invalid requests", async () => {
      await using host = await open(stack);
      const desk = await deskOf(stack, host);
      const slot = { patientId: await registered(desk), doctorId: 1, day: "2030-01-31", hour: 9 };
      const valid = { ...slot, payment: byCard };
      for (const invalid of [
        { ...valid, day: "2026-02-30" },
        { ...valid, hour: 7 },
        { ...valid, hour: 18 },
        { ...valid, payment: {} },
        { ...slot },
      ])
        expect([invalid, await desk.book(invalid)]).toEqual([invalid, tryAgain]);
      expect(await desk.patch(1, { born: "2026-02-30" })).toBe(tryAgain);
      const isIgnored = behavior.nullName[stack].startsWith("ignored");
      expect(await desk.patch(1, { name: null })).toEqual(isIgnored ? { ...ada, id: 1 } : tryAgain);
      const both = await desk.book({ ...slot, payment: byBoth });
      expect(both).toBe(
        behavior.twoPayments[stack] === "rejected" ? tryAgain : "Appointment 1, paid by card 4242.",
      );
    });

    test("patches: null removes, absent keeps", async () => {
      await using host = await open(stack);
      const desk = await deskOf(stack, host);
      const id = await registered(desk);
      expect(await desk.patch(id, { name: "Ada L." })).toEqual({ ...ada, id, name: "Ada L." });
      expect(await desk.patch(id, {})).toEqual({ ...ada, id, name: "Ada L." });
      expect(await desk.patch(id, { email: null })).toEqual({ ...ada, id, name: "Ada L.", email: null });
      expect(await desk.patch(id, { email: "a@b.example", contacts: [] })).toEqual({
        ...{ ...ada, id, name: "Ada L." },
        ...{ email: "a@b.example", contacts: [] },
      });
      expect(await desk.patch(9, { name: "Bob" })).toBe("There is no such patient.");
    });

    test("shows the texts of the contract at the fields of the form, and sends no invalid form", async () => {
      await using host = await open(stack);
      const desk = await deskOf(stack, host);
      for (const row of messages)
        expect(await desk.register({ ...ada, ...row.values })).toEqual({
          messages: { [row.field]: [row[stack]] },
          made: undefined,
        });
      expect(host.calls()).toBe(0);
    });

    test("docs/apps.md has the number of generated lines, within a tenth", () => {
      const cells = /^\| generated \| ([\d,]+) \| ([\d,]+) \|/m.exec(readPage("docs/apps.md"));
      const documented = Number(cells?.[stacks.indexOf(stack) + 1]?.replace(",", ""));
      const count = generatedLines(stack);
      expect(Math.abs(documented - count), `${count} lines`).toBeLessThanOrEqual(count / 10);
    });
  });
});

async function open(stack: Stack): Promise<Host> {
  const { Clinic } = await importOf<{ readonly Clinic: new () => object }>("clinic/shared/clinic.ts");
  return serve(`clinic/${stack}`, new Clinic());
}

async function deskOf(stack: Stack, { url }: Host): Promise<Desk> {
  const { openDesk } = await importOf<{ readonly openDesk: (url: string) => Desk }>(
    `clinic/${stack}/desk.ts`,
  );
  return openDesk(url);
}

async function registered(desk: Desk): Promise<number> {
  const { messages, made } = await desk.register(ada);
  expect([messages, made]).toEqual([{}, { ...ada, id: 1 }]);
  return made?.id ?? 0;
}

function generatedLines(stack: Stack): number {
  const folder = join(appsFolder, "clinic", stack, "api");
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8").split("\n").length)
    .reduce((sum, lines) => sum + lines, 0);
}
