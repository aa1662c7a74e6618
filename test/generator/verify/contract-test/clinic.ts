/** A product with a log-in, a log-out, 64-bit ids, and methods that need ids of existing records. */

export const clinic = `webrpc = v1
name = clinic
version = v1.0.0
basepath = /rpc

error 1 BadCredentials "wrong email or password" HTTP 401
error 2 Unauthorized "log in first" HTTP 401
error 3 NotFound "no such record" HTTP 404
error 4 SlotTaken "the slot is taken" HTTP 409
error 5 EmailTaken "the email is registered" HTTP 409
error 6 Limit "too many calls" HTTP 429

type DoctorId: uint64
type PatientId: uint64

struct User
  - id: uint64
  - email: string

struct Doctor
  - id: DoctorId
  - name: string

struct Slot
  - doctorId: DoctorId
  - start: timestamp

struct NewPatient
  - name: string
    + minLength = 1
    + maxLength = 60
  - email: string
    + pattern = "^[a-z]{1,20}@[a-z]{1,20}[.]test$"

struct Patient
  - id: PatientId
  - name: string
  - email: string

enum Status: string
  - BOOKED
  - CANCELLED

struct Appointment
  - id: uint64
  - doctorId: DoctorId
  - patientId: PatientId
  - start: timestamp
  - status: Status

struct Invoice
  - number: uint64
  - appointmentId: uint64
  - cents: uint32
  - paid: bool

service Auth
  @public - Login(email: string, password: string) => (token: string, user: User) errors BadCredentials
  @auth - Logout() => ()
  @auth - Me() => (user: User)
  @auth - ChangePassword(password: string) => ()

service Doctors
  @auth @readonly - Get(id: DoctorId) => (doctor: Doctor) errors NotFound
  @auth @readonly - List() => (doctors: []Doctor)
  @auth @readonly - Slots(id: DoctorId) => (slots: []Slot) errors NotFound
  @auth - Rate(doctorId: DoctorId, stars: uint8) => (average: float64) errors NotFound
  @auth - SetPhoto(doctorId: DoctorId, url: string) => () errors NotFound

service Patients
  @auth @readonly - Get(id: PatientId) => (patient: Patient) errors NotFound
  @auth - Create(patient: NewPatient) => (patient: Patient) errors EmailTaken
  @auth @readonly - List() => (patients: []Patient)
  @auth - Rename(id: PatientId, name: string) => (patient: Patient) errors NotFound
  @auth @readonly - Merge(ids: []PatientId) => (count: uint32) errors NotFound
  @auth - Delete(id: PatientId) => () errors NotFound

service Appointments
  @auth - Book(doctorId: DoctorId, patientId: PatientId, start: timestamp) => (appointment: Appointment) errors NotFound | SlotTaken
  @auth @readonly - Get(id: uint64) => (appointment: Appointment) errors NotFound
  @auth @readonly - List() => (appointments: []Appointment)
  @auth @readonly - OfPatient(patientId: PatientId) => (appointments: []Appointment) errors NotFound
  @auth - Move(appointmentId: uint64, start: timestamp) => (appointment: Appointment) errors NotFound | SlotTaken
  @auth - Cancel(id: uint64) => () errors NotFound

service Billing
  @auth - Bill(appointmentId: uint64) => (invoice: Invoice) errors NotFound
  @auth @readonly - Invoice(number: uint64) => (invoice: Invoice) errors NotFound
  @auth - Pay(invoiceNumber: uint64) => (invoice: Invoice) errors NotFound
  @auth @readonly - Invoices() => (invoices: []Invoice)
  @auth @readonly - Watch(appointmentId: uint64) => stream (invoice: Invoice) errors NotFound
`;

interface Call {
  readonly errors: Readonly<Record<string, () => Error>>;
}
type Request = Readonly<Record<string, unknown>>;
interface GuardCall extends Call {
  readonly method: { readonly annotations: Readonly<Record<string, unknown>> };
  header(name: string): string | undefined;
}

/** The token that a clinic accepts until `Logout`. */
export const token = "Bearer t-1";

/** A correct server. Its ids exceed the safe integers of JavaScript. */
export function clinicServer(): { readonly handlers: object; readonly guard: (call: GuardCall) => void } {
  let last = 9_007_199_254_740_993n;
  const next = (): bigint => (last += 2n);
  let isLoggedIn = true;
  const user = { id: next(), email: "ann@clinic.test" };
  const days = ["2026-05-01T09:00:00Z", "2026-05-01T10:00:00Z", "2026-05-02T09:00:00Z"];
  const doctors = ["Berg", "Costa"].map((name) => ({ id: next(), name }));
  const patients = new Map<unknown, { id: bigint; name: unknown; email: unknown }>();
  const appointments = new Map<unknown, Record<string, unknown>>();
  const invoices = new Map<unknown, Record<string, unknown>>();
  function found<Value>(value: Value | undefined, { errors }: Call): Value {
    if (value === undefined) throw errors["NotFound"]?.();
    return value;
  }
  const doctor = (id: unknown, ctx: Call) =>
    found(
      doctors.find((one) => one.id === id),
      ctx,
    );
  const slots = (id: bigint) => days.map((start) => ({ doctorId: id, start }));
  const free = (doctorId: unknown, start: unknown, ctx: Call): void => {
    if (!days.includes(String(start))) throw ctx.errors["NotFound"]?.();
    const isTaken = [...appointments.values()].some(
      (one) => one["doctorId"] === doctorId && one["start"] === start && one["status"] === "BOOKED",
    );
    if (isTaken) throw ctx.errors["SlotTaken"]?.();
  };
  const invoice = (number: unknown, ctx: Call) => found(invoices.get(number), ctx);
  const appointment = (id: unknown, ctx: Call) => found(appointments.get(id), ctx);

  const handlers = {
    Auth: {
      Login({ errors }: Call, { email, password }: Request) {
        if (email !== user.email || password !== "secret") throw errors["BadCredentials"]?.();
        return { token: "t-2", user };
      },
      Logout() {
        isLoggedIn = false;
        return {};
      },
      Me: () => ({ user }),
      ChangePassword: () => ({}),
    },
    Doctors: {
      Get: (ctx: Call, { id }: Request) => ({ doctor: doctor(id, ctx) }),
      List: () => ({ doctors }),
      Slots: (ctx: Call, { id }: Request) => ({ slots: slots(doctor(id, ctx).id) }),
      Rate: (ctx: Call, { doctorId }: Request) => ({ average: doctor(doctorId, ctx).name.length }),
      SetPhoto(ctx: Call, { doctorId }: Request) {
        doctor(doctorId, ctx);
        return {};
      },
    },
    Patients: {
      Get: (ctx: Call, { id }: Request) => ({ patient: found(patients.get(id), ctx) }),
      Create({ errors }: Call, { patient }: Request) {
        const { name, email } = patient as Request;
        if ([...patients.values()].some((one) => one.email === email)) throw errors["EmailTaken"]?.();
        const created = { id: next(), name, email };
        patients.set(created.id, created);
        return { patient: created };
      },
      List: () => ({ patients: [...patients.values()] }),
      Rename(ctx: Call, { id, name }: Request) {
        const patient = found(patients.get(id), ctx);
        patient.name = name;
        return { patient };
      },
      Merge(ctx: Call, { ids }: Request) {
        for (const id of ids as readonly bigint[]) found(patients.get(id), ctx);
        return { count: 1 };
      },
      Delete(ctx: Call, { id }: Request) {
        patients.delete(found(patients.get(id), ctx).id);
        return {};
      },
    },
    Appointments: {
      Book(ctx: Call, { doctorId, patientId, start }: Request) {
        doctor(doctorId, ctx);
        found(patients.get(patientId), ctx);
        free(doctorId, start, ctx);
        const booked = { id: next(), doctorId, patientId, start, status: "BOOKED" };
        appointments.set(booked.id, booked);
        return { appointment: booked };
      },
      Get: (ctx: Call, { id }: Request) => ({ appointment: appointment(id, ctx) }),
      List: () => ({ appointments: [...appointments.values()] }),
      OfPatient(ctx: Call, { patientId }: Request) {
        found(patients.get(patientId), ctx);
        return {
          appointments: [...appointments.values()].filter((one) => one["patientId"] === patientId),
        };
      },
      Move(ctx: Call, { appointmentId, start }: Request) {
        const moved = appointment(appointmentId, ctx);
        free(moved["doctorId"], start, ctx);
        moved["start"] = start;
        return { appointment: moved };
      },
      Cancel(ctx: Call, { id }: Request) {
        appointment(id, ctx)["status"] = "CANCELLED";
        return {};
      },
    },
    Billing: {
      Bill(ctx: Call, { appointmentId }: Request) {
        appointment(appointmentId, ctx);
        const bill = { number: next(), appointmentId, cents: 5000, paid: false };
        invoices.set(bill.number, bill);
        return { invoice: bill };
      },
      Invoice: (ctx: Call, { number }: Request) => ({ invoice: invoice(number, ctx) }),
      Pay(ctx: Call, { invoiceNumber }: Request) {
        const paid = invoice(invoiceNumber, ctx);
        paid["paid"] = true;
        return { invoice: paid };
      },
      Invoices: () => ({ invoices: [...invoices.values()] }),
      async *Watch(ctx: Call, { appointmentId }: Request) {
        appointment(appointmentId, ctx);
        for (const one of invoices.values())
          if (one["appointmentId"] === appointmentId) yield { invoice: one };
      },
    },
  };
  return {
    handlers,
    guard({ method: { annotations }, header, errors }) {
      if (annotations["auth"] === undefined) return;
      if (!isLoggedIn || header("authorization") !== token) throw errors["Unauthorized"]?.();
    },
  };
}
