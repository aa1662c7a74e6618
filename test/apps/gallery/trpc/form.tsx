import { useForm } from "@tanstack/react-form";
import { useMutation } from "@tanstack/react-query";
import { Field, Form, tryAgain } from "../shared/views.tsx";
import { cache, photoList, trpc } from "./client.ts";
import { newPhoto } from "./schemas.ts";

export function Add() {
  const { mutate, error } = useMutation(
    trpc.addPhoto.mutationOptions({
      onSuccess: () => cache.invalidateQueries({ queryKey: photoList.queryKey }),
    }),
  );
  const failure = error?.data?.failure;
  const form = useForm({
    defaultValues: { title: "", priceCents: 0, takenOn: "" },
    validators: { onSubmit: newPhoto },
    onSubmit: ({ value }) => mutate(value),
  });
  return (
    <Form
      onSubmit={() => form.handleSubmit()}
      message={
        error && (failure?.code === "TitleTaken" ? `Taken: photo ${failure.photoId} has it` : tryAgain)
      }
    >
      <form.Field name="title">
        {({ name, state, handleChange }) => (
          <Field
            name={name}
            type="text"
            value={state.value}
            onChange={({ value }) => handleChange(value)}
            errors={state.meta.errors}
          />
        )}
      </form.Field>
      <form.Field name="priceCents">
        {({ name, state, handleChange }) => (
          <Field
            name={name}
            type="number"
            value={state.value}
            onChange={({ valueAsNumber }) => handleChange(valueAsNumber)}
            errors={state.meta.errors}
          />
        )}
      </form.Field>
      <form.Field name="takenOn">
        {({ name, state, handleChange }) => (
          <Field
            name={name}
            type="date"
            value={state.value}
            onChange={({ value }) => handleChange(value)}
            errors={state.meta.errors}
          />
        )}
      </form.Field>
    </Form>
  );
}
