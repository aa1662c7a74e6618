import { useForm } from "@tanstack/react-form";
import { useMutation } from "@tanstack/react-query";
import { mutationOptions } from "ridlkit-runtime/tanstack-query";
import { Field, Form, tryAgain } from "../shared/views.tsx";
import { addPhoto } from "./api/client.ts";
import { newPhotoSchema } from "./api/standard-schema.ts";
import { cache, client, photoList } from "./client.ts";

export function Add() {
  const { mutate, error } = useMutation({
    ...mutationOptions(addPhoto, client),
    onSuccess: () => cache.invalidateQueries({ queryKey: photoList.queryKey }),
  });
  const form = useForm({
    defaultValues: { title: "", priceCents: 0, takenOn: "" },
    validators: { onSubmit: newPhotoSchema },
    onSubmit: ({ value }) => mutate(value),
  });
  return (
    <Form
      onSubmit={() => form.handleSubmit()}
      message={
        error && (error.name === "TitleTaken" ? `Taken: photo ${error.data?.photoId} has it` : tryAgain)
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
