import { oc } from "@orpc/contract";
import * as z from "zod";

const patientId = z.int().min(0).brand<"PatientId", "inout">();
const doctorId = z.int().min(0).brand<"DoctorId", "inout">();

const nameMessage = "Please give a name of at most 40 letters.";
const name = z.string(nameMessage).min(1, nameMessage).max(40, nameMessage);
const day = z.iso.date("Please choose a day of the calendar.");

const contact = z.object({ name, phone: z.string().regex(/^[0-9]+$/, "Please use digits only.") });

export const newPatient = z.object({
  name,
  born: day,
  email: z.email().nullish(),
  contacts: z.array(contact).max(2),
});

const patient = newPatient.extend({ id: patientId, email: z.email().nullable() });

const patientPatch = newPatient.partial();

const payment = z.discriminatedUnion("method", [
  z.object({ method: z.literal("card"), number: z.string().regex(/^[0-9]{12,19}$/), holder: name }),
  z.object({ method: z.literal("transfer"), iban: z.string().min(15).max(34) }),
]);

const slot = z.object({ patientId, doctorId, day, hour: z.int().min(8).max(17) });

const newAppointment = slot.extend({ payment });

const appointment = slot.extend({ id: z.int(), paidBy: z.string() });

const doctor = z.object({ id: doctorId, name });

const notFound = { PATIENT_NOT_FOUND: { status: 404, message: "no such patient" } };

export const contract = {
  listDoctors: oc.output(z.array(doctor)),
  registerPatient: oc.input(newPatient).output(patient),
  patchPatient: oc
    .input(z.object({ id: patientId, patch: patientPatch }))
    .output(patient)
    .errors(notFound),
  bookAppointment: oc
    .input(newAppointment)
    .output(appointment)
    .errors({
      ...notFound,
      SLOT_TAKEN: { status: 409, message: "the doctor is busy then", data: appointment },
    }),
};

export type PatientId = z.infer<typeof patientId>;
export type DoctorId = z.infer<typeof doctorId>;
export type NewPatient = z.infer<typeof newPatient>;
export type PatientPatch = z.infer<typeof patientPatch>;
export type Payment = z.infer<typeof payment>;
export type NewAppointment = z.infer<typeof newAppointment>;
