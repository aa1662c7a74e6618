import type { RequestListener } from "node:http";
import { implement } from "@orpc/server";
import { RPCHandler } from "@orpc/server/node";
import type { Clinic } from "../shared/clinic.ts";
import { contract, type DoctorId, type PatientId, type Payment } from "./contract.ts";

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
  const os = implement(contract);
  const router = os.router({
    listDoctors: os.listDoctors.handler(() => clinic.doctors),
    registerPatient: os.registerPatient.handler(({ input }) => clinic.register(input)),
    patchPatient: os.patchPatient.handler(({ input: { id, patch }, errors }) => {
      const patient = clinic.find(id);
      if (!patient) throw errors.PATIENT_NOT_FOUND();
      return clinic.save({ ...patient, ...patch });
    }),
    bookAppointment: os.bookAppointment.handler(({ input, errors }) => {
      const { patientId, payment, ...slot } = input;
      if (!clinic.find(patientId)) throw errors.PATIENT_NOT_FOUND();
      const conflict = clinic.conflict(slot);
      if (conflict) throw errors.SLOT_TAKEN({ data: conflict });
      return clinic.book(slot, patientId, describePayment(payment));
    }),
  });
  const handler = new RPCHandler(router);
  return async (request, response) => {
    const { matched } = await handler.handle(request, response, { prefix: "/rpc" });
    if (!matched) response.writeHead(404).end();
  };
}
