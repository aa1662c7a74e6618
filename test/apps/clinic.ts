/** The reception of a clinic, on ridlkit and oRPC: what the types of a contract can say. */
import { type App, stackTable } from "./rows.ts";

export type Stack = "ridlkit" | "orpc";

export const clinic: App<Stack, "twoPayments" | "nullName"> = {
  folder: "clinic",
  stacks: { ridlkit: "ridlkit", orpc: "oRPC" },
  parts: [
    [
      "contract and configuration",
      ["schema.ridl", "ridlkit.config.json", "contract.ts"],
      "oRPC: `z.strictObject` is needed to reject fields of another payment",
    ],
    ["server", ["server.ts"], "none"],
    ["client and form", ["desk.ts"], "Only ridlkit has a timeout by default"],
  ],
  mistakes: {
    twoPayments: "a payment is both by card and by transfer",
    missingPayment: "the server forgets one kind of payment",
    doctorAsPatient: "the id of a doctor is passed as that of a patient",
    numberAsPatient: "a plain number is passed as the id of a patient",
    patchOfUnknownField: "a patch misspells a field",
    nullForRequiredField: "a patch removes a required field",
    missingErrorData: "an error is raised without its data",
    wrongErrorData: "an error is raised with other data",
    unknownErrorData: "the page reads data that an error lacks",
    errorOfAnotherMethod: "the page handles an error that only another method has",
    undeclaredError: "a handler returns an error that its method does not declare",
    unhandledError: "the page forgets an error",
    responseWithoutField: "a handler forgets fields of its response",
    misspelledField: "the page misspells a field of a response",
  },
  behavior: {
    twoPayments: {
      label: "a payment by card and by transfer, from a client without types",
      ridlkit: "rejected",
      orpc: "accepted as a payment by card",
    },
    nullName: {
      label: "a patch with null for the name, from a client without types",
      ridlkit: "ignored: for the name, null means absent",
      orpc: "rejected",
    },
  },
};

/** What the form shows at a field: the text of the contract if it has any, otherwise that of the library. */
interface Message extends Readonly<Record<Stack, string>> {
  readonly field: string;
  readonly about: string;
  /** Replaces values of a valid form. */
  readonly values: object;
}

const contact = { name: "Charles", phone: "0171" };

export const messages: readonly Message[] = [
  {
    field: "name",
    about: "empty",
    values: { name: "" },
    ridlkit: "Please give a name of at most 40 letters.",
    orpc: "Please give a name of at most 40 letters.",
  },
  {
    field: "born",
    about: "2026-02-30",
    values: { born: "2026-02-30" },
    ridlkit: "Please choose a day of the calendar.",
    orpc: "Please choose a day of the calendar.",
  },
  {
    field: "contacts[1].phone",
    about: "12a",
    values: { contacts: [contact, { ...contact, phone: "12a" }] },
    ridlkit: "Please use digits only.",
    orpc: "Please use digits only.",
  },
  {
    field: "contacts",
    about: "three",
    values: { contacts: [contact, contact, contact] },
    ridlkit: "expected a list of at most 2 items, found a list of 3",
    orpc: "Too big: expected array to have <=2 items",
  },
  {
    field: "email",
    about: "ada@",
    values: { email: "ada@" },
    ridlkit: 'expected text that is an email address, found "ada@"',
    orpc: "Invalid email address",
  },
];

export function messageTable(): string {
  return stackTable(
    clinic,
    "field and value",
    messages.map(({ field, about, ridlkit, orpc }) => [`\`${field}\`: ${about}`, ridlkit, orpc]),
  );
}
