import { submitForm, tryAgain } from "../shared/form.ts";
import { Clinic, match, result } from "./api/client.ts";
import { newPatientSchema } from "./api/standard-schema.ts";
import type { NewAppointment, NewPatient, PatientId, PatientPatch } from "./api/types.ts";

export function openDesk(url: string) {
  const clinic = new Clinic({ url });
  return {
    doctors: async () => (await clinic.listDoctors()).doctors,
    register: (values: NewPatient) =>
      submitForm(newPatientSchema, values, async (value) => {
        const { patient } = await clinic.registerPatient({ patient: value });
        return patient;
      }),
    patch: async (id: PatientId, patch: PatientPatch) =>
      match(await result(clinic.patchPatient({ id, patch })), {
        ok: ({ patient }) => patient,
        PatientNotFound: () => "There is no such patient.",
        protocol: () => tryAgain,
      }),
    book: async (appointment: NewAppointment) =>
      match(await result(clinic.bookAppointment(appointment)), {
        ok: ({ id, paidBy }) => `Appointment ${id}, paid by ${paidBy}.`,
        PatientNotFound: () => "There is no such patient.",
        SlotTaken: ({ data }) => `Taken by appointment ${data?.id} of patient ${data?.patientId}.`,
        protocol: () => tryAgain,
      }),
  };
}
