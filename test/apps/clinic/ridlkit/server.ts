import type { RequestListener } from "node:http";
import { nodeListener } from "ridlkit-runtime/node";
import type { Clinic } from "../shared/clinic.ts";
import { createServer } from "./api/server.ts";
import type { DoctorId, PatientId, Payment } from "./api/types.ts";

export const prefix = "/rpc/";

function describePayment(payment: Payment): string {
  switch (payment.method) {
    case "card":
      return `card ${payment.number.slice(-4)}`;
    case "transfer":
      return `account ${payment.iban.slice(-4)}`;
    default:
      return payment satisfies never;
  }
}

export function listener(clinic: Clinic<PatientId, DoctorId>): RequestListener {
  const server = createServer({
    Clinic: {
      ListDoctors: () => ({ doctors: clinic.doctors }),
      RegisterPatient: (_ctx, { patient }) => ({ patient: clinic.register(patient) }),
      PatchPatient: (ctx, { id, patch }) => {
        const patient = clinic.find(id);
        if (!patient) return ctx.errors.PatientNotFound();
        return { patient: clinic.save({ ...patient, ...patch }) };
      },
      BookAppointment: (ctx, { patientId, payment, ...slot }) => {
        if (!clinic.find(patientId)) return ctx.errors.PatientNotFound();
        const conflict = clinic.conflict(slot);
        if (conflict) return ctx.errors.SlotTaken(conflict);
        return clinic.book(slot, patientId, describePayment(payment));
      },
    },
  });
  return nodeListener(server);
}
