/** Chooses a file to upload. */
import { absent } from "../form/draft.ts";
import { FilePreview } from "./file-preview.tsx";
import type { ValueProps } from "./value-props.ts";

export function FileInput({ path, draft, onChange }: Pick<ValueProps, "path" | "draft" | "onChange">) {
  return (
    <>
      <input
        type="file"
        id={path}
        name={path}
        aria-describedby={`${path}:note`}
        {...(/\/\d+$/.test(path) ? { "aria-label": path.slice(1) } : {})}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          onChange(file === undefined ? absent : { kind: "file", file });
        }}
      />
      {draft.kind === "file" && <FilePreview blob={draft.file} name={draft.file.name} />}
    </>
  );
}
