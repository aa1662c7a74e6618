/** What the pages of all apps look like. */
import type { ReactNode } from "react";
import type { Comment, Photo } from "./gallery.ts";

/** Shown for failures that the page does not know. */
export const tryAgain = "Something went wrong. Please try again.";

export function Page(props: {
  readonly list: ReactNode;
  readonly form: ReactNode;
  readonly live: ReactNode;
}) {
  return (
    <main>
      <section id="photos">{props.list}</section>
      <section id="add">{props.form}</section>
      <section id="live">{props.live}</section>
    </main>
  );
}

export function Photos(props: {
  readonly photos: readonly Photo[];
  readonly message?: string | null;
  /** Undefined at the end of the list. */
  readonly onMore?: (() => void) | undefined;
  readonly actions: (photo: Photo) => ReactNode;
}) {
  return (
    <>
      <ul>
        {props.photos.map((photo) => (
          <li key={photo.id} id={`photo-${photo.id}`}>
            <b>{photo.title}</b> <i>{photo.imageBytes}</i> {props.actions(photo)}
          </li>
        ))}
      </ul>
      <Alert message={props.message} />
      {props.onMore && (
        <button type="button" name="more" onClick={props.onMore}>
          More
        </button>
      )}
    </>
  );
}

export function TitleEditor(props: {
  readonly onSave: (title: string) => void;
  readonly message: string | null;
}) {
  return (
    <form
      className="title"
      onSubmit={(event) => {
        event.preventDefault();
        props.onSave(String(new FormData(event.currentTarget).get("title")));
      }}
    >
      <input name="title" aria-label="New title" />
      <button type="submit">Rename</button>
      <Alert message={props.message} />
    </form>
  );
}

export function ImagePicker(props: {
  readonly onPick: (image: File) => void;
  readonly message: string | null;
}) {
  return (
    <span className="image">
      <input
        type="file"
        aria-label="Image"
        onChange={({ target }) => target.files?.[0] && props.onPick(target.files[0])}
      />
      <Alert message={props.message} />
    </span>
  );
}

export function Field(props: {
  readonly name: string;
  readonly type: "text" | "number" | "date";
  readonly value: string | number;
  readonly onChange: (input: HTMLInputElement) => void;
  readonly errors: readonly ({ readonly message: string } | undefined)[];
}) {
  return (
    <label>
      {props.name}
      <input
        name={props.name}
        type={props.type}
        value={props.value}
        onChange={({ target }) => props.onChange(target)}
      />
      <span id={`error-${props.name}`}>{props.errors.map((error) => error?.message).join(", ")}</span>
    </label>
  );
}

export function Form(props: {
  readonly onSubmit: () => void;
  readonly message: string | null;
  readonly children: ReactNode;
}) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      {props.children}
      <button type="submit">Add</button>
      <Alert message={props.message} />
    </form>
  );
}

export function Comments(props: { readonly comments: readonly Comment[]; readonly status: string }) {
  return (
    <>
      <output>{props.status}</output>
      <ul>
        {props.comments.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
    </>
  );
}

export function Alert({ message }: { readonly message?: string | null | undefined }) {
  return message ? <em role="alert">{message}</em> : null;
}
