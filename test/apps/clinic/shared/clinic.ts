/** What the servers of both apps do: patients, and appointments of which a doctor has one at a time. In memory. */

export interface NewPatient {
  /** Such as 1990-01-31. */
  readonly born: string;
  readonly name: string;
  readonly email?: string | null | undefined;
  readonly contacts: Contact[];
}

export interface Patient<PatientId> extends NewPatient {
  readonly id: PatientId;
  /** Null: none. */
  readonly email: string | null;
}

interface Contact {
  readonly name: string;
  readonly phone: string;
}

export interface Slot<DoctorId> {
  readonly doctorId: DoctorId;
  readonly day: string;
  /** From 8 to 17. */
  readonly hour: number;
}

/** The types of the ids are those of a contract. */
export class Clinic<PatientId extends number, DoctorId extends number> {
  readonly doctors = [
    { id: 1 as DoctorId, name: "Dr. Gray" },
    { id: 2 as DoctorId, name: "Dr. House" },
  ];
  readonly #patients = new Map<PatientId, Patient<PatientId>>();
  readonly #appointments: (Slot<DoctorId> & {
    readonly id: number;
    readonly patientId: PatientId;
    readonly paidBy: string;
  })[] = [];

  register(patient: NewPatient) {
    const id = (this.#patients.size + 1) as PatientId;
    return this.save({ ...patient, id, email: patient.email ?? null });
  }

  find(id: PatientId) {
    return this.#patients.get(id);
  }

  save(patient: Patient<PatientId>) {
    this.#patients.set(patient.id, patient);
    return patient;
  }

  /** Returns the appointment that the doctor has then. */
  conflict({ doctorId, day, hour }: Slot<DoctorId>) {
    return this.#appointments.find(
      (one) => one.doctorId === doctorId && one.day === day && one.hour === hour,
    );
  }

  book({ doctorId, day, hour }: Slot<DoctorId>, patientId: PatientId, paidBy: string) {
    const appointment = { id: this.#appointments.length + 1, patientId, doctorId, day, hour, paidBy };
    this.#appointments.push(appointment);
    return appointment;
  }
}
