/** Chooses a file to upload. */
import { absent } from "../form/draft.ts";
import { FilePreview } from "./file-preview.tsx";
import type { ValueProps } from "./value-props.ts";

interface FileInputProps extends Pick<ValueProps, "path" | "draft" | "onChange"> {
  readonly label: string | undefined;
}

export function FileInput({ path, draft, label, onChange }: FileInputProps) {
  return (
    <>
      <input
        type="file"
        id={path}
        name={path}
        aria-describedby={`${path}:note`}
        aria-label={label}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          onChange(file === undefined ? absent : { kind: "file", file });
        }}
      />
      {draft.kind === "file" && <FilePreview blob={draft.file} name={draft.file.name} />}
    </>
  );
}
