import { createORPCClient, isDefinedError, safe } from "@orpc/client";
import { RPCLink } from "@orpc/client/fetch";
import type { ContractRouterClient } from "@orpc/contract";
import { submitForm, tryAgain } from "../shared/form.ts";
import {
  type contract,
  type NewAppointment,
  type NewPatient,
  newPatient,
  type PatientId,
  type PatientPatch,
} from "./contract.ts";

export type Client = ContractRouterClient<typeof contract>;

export function openDesk(url: string) {
  const clinic: Client = createORPCClient(new RPCLink({ url: `${url}rpc` }));
  return {
    doctors: () => clinic.listDoctors(),
    register: (values: NewPatient) =>
      submitForm(newPatient, values, (value) => clinic.registerPatient(value)),
    patch: async (id: PatientId, patch: PatientPatch) => {
      const { error, data } = await safe(clinic.patchPatient({ id, patch }));
      if (!error) return data;
      return isDefinedError(error) ? "There is no such patient." : tryAgain;
    },
    book: async (appointment: NewAppointment) => {
      const { error, data } = await safe(clinic.bookAppointment(appointment));
      if (!error) return `Appointment ${data.id}, paid by ${data.paidBy}.`;
      if (!isDefinedError(error)) return tryAgain;
      switch (error.code) {
        case "PATIENT_NOT_FOUND":
          return "There is no such patient.";
        case "SLOT_TAKEN":
          return `Taken by appointment ${error.data.id} of patient ${error.data.patientId}.`;
      }
    },
  };
}
