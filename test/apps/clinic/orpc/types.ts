/** Mistakes, and which of them the compiler finds. `types.ts` of the other app has the same ones. */
import { isDefinedError, safe } from "@orpc/client";
import { implement } from "@orpc/server";
import {
  contract,
  type DoctorId,
  type NewAppointment,
  type PatientId,
  type PatientPatch,
  type Payment,
} from "./contract.ts";
import type { Client } from "./desk.ts";

declare const clinic: Client;
const os = implement(contract);
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

export const missingErrorData = os.bookAppointment.handler(({ errors }) =>
  // @ts-expect-error
  Promise.reject(errors.SLOT_TAKEN()),
);

export const wrongErrorData = os.bookAppointment.handler(({ input: { day, hour }, errors }) =>
  // @ts-expect-error
  Promise.reject(errors.SLOT_TAKEN({ data: { day, hour } })),
);

export const unknownErrorData = async (appointment: NewAppointment): Promise<unknown> => {
  const { error } = await safe(clinic.bookAppointment(appointment));
  // @ts-expect-error
  return isDefinedError(error) && error.code === "SLOT_TAKEN" && error.data.doctor;
};

export const errorOfAnotherMethod = async (id: PatientId): Promise<boolean> => {
  const { error } = await safe(clinic.patchPatient({ id, patch: {} }));
  // @ts-expect-error
  return isDefinedError(error) && error.code === "SLOT_TAKEN";
};

// @ts-expect-error
export const undeclaredError = os.patchPatient.handler(({ errors }) => Promise.reject(errors.SLOT_TAKEN()));

export const unhandledError = async (appointment: NewAppointment): Promise<string> => {
  const { error } = await safe(clinic.bookAppointment(appointment));
  if (!isDefinedError(error)) return "booked";
  if (error.code === "PATIENT_NOT_FOUND") return "There is no such patient.";
  // @ts-expect-error
  return error satisfies never;
};

// @ts-expect-error
export const responseWithoutField = os.bookAppointment.handler(({ input }) => input);

export const misspelledField = (id: PatientId) =>
  // @ts-expect-error
  clinic.patchPatient({ id, patch: {} }).then((patient) => patient.birthday);
