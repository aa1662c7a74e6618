/** Mistakes, and which of them the compiler finds. `types.ts` of the other app has the same ones. */
import {
  type bookAppointment,
  Clinic,
  type FailureOf,
  match,
  type patchPatient,
  result,
} from "./api/client.ts";
import type { ClinicHandlers } from "./api/server.ts";
import type { Appointment, DoctorId, NewAppointment, PatientId, PatientPatch, Payment } from "./api/types.ts";

const clinic = new Clinic({ url: "" });
const card = { method: "card", number: "4242424242424242", holder: "Ada" } as const;

// @ts-expect-error
export const twoPayments: Payment = { ...card, iban: "DE02120300000000202051" };

export const missingPayment = (payment: Payment): string => {
  if (payment.method === "card") return payment.holder;
  // @ts-expect-error
  return payment satisfies never;
};

// @ts-expect-error
export const doctorAsPatient = (id: DoctorId) => clinic.patchPatient({ id, patch: {} });

// @ts-expect-error
export const numberAsPatient = () => clinic.patchPatient({ id: 1, patch: {} });

// @ts-expect-error
export const patchOfUnknownField: PatientPatch = { nme: "Ada" };

// @ts-expect-error
export const nullForRequiredField: PatientPatch = { name: null };

// @ts-expect-error
export const missingErrorData: ClinicHandlers["BookAppointment"] = (ctx) => ctx.errors.SlotTaken();

export const wrongErrorData: ClinicHandlers["BookAppointment"] = (ctx, { day, hour }) =>
  // @ts-expect-error
  ctx.errors.SlotTaken({ day, hour });

export const unknownErrorData = (error: FailureOf<typeof bookAppointment>): unknown =>
  // @ts-expect-error
  error.name === "SlotTaken" && error.data?.doctor;

// @ts-expect-error
export const errorOfAnotherMethod = (error: FailureOf<typeof patchPatient>) => error.name === "SlotTaken";

// @ts-expect-error
export const undeclaredError: ClinicHandlers["PatchPatient"] = (ctx) => ctx.errors.SlotTaken();

export const unhandledError = async (appointment: NewAppointment): Promise<string> =>
  // @ts-expect-error
  match(await result(clinic.bookAppointment(appointment)), {
    ok: () => "booked",
    PatientNotFound: () => "There is no such patient.",
    protocol: () => "Something went wrong. Please try again.",
  });

// @ts-expect-error
export const responseWithoutField: ClinicHandlers["BookAppointment"] = (_ctx, slot): Appointment => slot;

export const misspelledField = (id: PatientId) =>
  // @ts-expect-error
  clinic.patchPatient({ id, patch: {} }).then(({ patient }) => patient.birthday);
