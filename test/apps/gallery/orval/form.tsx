import { useForm } from "@tanstack/react-form";
import { Field, Form, tryAgain } from "../shared/views.tsx";
import { useAddPhoto } from "./api/client.ts";
import { addPhotoBody } from "./api/schemas.ts";
import { cache, photoList } from "./client.ts";
import { ApiError } from "./fetch.ts";

export function Add() {
  const { mutate, error } = useAddPhoto({
    mutation: { onSuccess: () => cache.invalidateQueries({ queryKey: photoList.queryKey }) },
  });
  const form = useForm({
    defaultValues: { title: "", priceCents: 0, takenOn: "" },
    validators: { onSubmit: addPhotoBody },
    onSubmit: ({ value }) => mutate({ data: value }),
  });
  const isTaken = error instanceof ApiError && error.body.code === "title_taken";
  return (
    <Form
      onSubmit={() => form.handleSubmit()}
      message={error && (isTaken ? `Taken: photo ${error.body.photoId} has it` : tryAgain)}
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
