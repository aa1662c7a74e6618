import { FormApi, type StandardSchemaV1 } from "@tanstack/form-core";

/** What a form shows at its fields, and what sending its values returned. */
export interface Submitted<Made> {
  readonly messages: Readonly<Record<string, readonly string[]>>;
  readonly made: Made | undefined;
}

/** Fills in a form and submits it, without a page. */
export async function submitForm<Values, Made>(
  schema: StandardSchemaV1<Values, unknown>,
  values: Values,
  send: (values: Values) => Promise<Made>,
): Promise<Submitted<Made>> {
  let made: Made | undefined;
  const form = new FormApi({
    defaultValues: values,
    validators: { onSubmit: schema },
    onSubmit: async ({ value }) => {
      made = await send(value);
    },
  });
  form.mount();
  await form.handleSubmit();
  const errors = Object.entries(form.state.errorMap.onSubmit ?? {});
  const messages = errors.map(([field, issues]) => [
    field,
    (issues as readonly { readonly message: string }[]).map(({ message }) => message),
  ]);
  return { messages: Object.fromEntries(messages), made };
}

export const tryAgain = "Something went wrong. Please try again.";
