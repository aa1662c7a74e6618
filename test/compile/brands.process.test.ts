/** Values of branded types cannot be mixed up. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { project, tsc } from "./project.ts";

const code = `
import { type Client, get } from "./brands/client.ts";
import { visitSchema } from "./brands/standard-schema.ts";
import { type ChiefId, type DoctorId, type PatientId, toChiefId, toCount, toDoctorId, toPatientId } from "./brands/types.ts";

const client: Client = { url: "http://localhost" };
const patient: PatientId = toPatientId("p1");
const chief: ChiefId = toChiefId(toDoctorId("d1"));
export const doctor: DoctorId = chief;
export const text: string = patient;
void get(client, { patient, count: toCount(3) }).then(({ visit }) => get(client, { patient: visit.patient, count: visit.count }));

type Types = NonNullable<(typeof visitSchema)["~standard"]["types"]>;
export const form: Types["input"] = {
  patient: "p1", doctors: ["d1"], count: 3, at: "2026-01-01T00:00:00Z", byName: { ada: "p1" }, ids: [], brand: { of: "d1" },
};
export const validated = (output: Types["output"]): PatientId => output.patient;

// Wrong: one line each.
export const unchecked: PatientId = form.patient;
void get(client, { patient: "p1", count: toCount(3) });
void get(client, { patient: doctor, count: toCount(3) });
void get(client, { patient, count: 3 });
export const wrong: ChiefId = doctor;
export const plain: ChiefId = toChiefId("d1");
`;

test("plain values and those of other types do not compile", async () => {
  using made = await project(["brands"], {}, { targets: ["client", "standard-schema"] });
  writeFileSync(join(made.path, "src/use.ts"), code);
  const printed = await new Promise<string>((resolve) => {
    execFile(process.execPath, [tsc, "--noEmit"], { cwd: made.path }, (_, out) => resolve(out));
  });
  const wrong = code
    .split("\n")
    .flatMap((line, index) =>
      index > code.split("\n").indexOf("// Wrong: one line each.") && line !== "" ? [index + 1] : [],
    );
  const found = printed.matchAll(/^(.*)\((\d+),\d+\): error (TS\d+)/gm);
  expect(
    [...found].map(([, file, line]) => `${file}:${line}`),
    printed,
  ).toEqual(wrong.map((line) => `src/use.ts:${line}`));
});
