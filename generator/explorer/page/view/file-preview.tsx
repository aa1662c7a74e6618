/** A file: images and short texts are shown, every file can be saved. */
import { useEffect, useState } from "preact/hooks";
import { Code } from "./parts.tsx";

/** Longest text that is shown, in bytes. */
const shownTextMax = 20_000;

export function FilePreview({ blob, name }: { readonly blob: Blob; readonly name: string | undefined }) {
  const [url, setUrl] = useState<string>();
  const [text, setText] = useState<string>();
  useEffect(() => {
    const created = URL.createObjectURL(blob);
    setUrl(created);
    setText(undefined);
    if (/^text\/|json/.test(blob.type) && blob.size <= shownTextMax) void blob.text().then(setText);
    return () => URL.revokeObjectURL(created);
  }, [blob]);
  if (url === undefined) return null;
  const title = name ?? "file";
  return (
    <div class="file">
      {blob.type.startsWith("image/") && <img src={url} alt={title} />}
      {text !== undefined && <Code isPlain text={text} label={title} />}
      <p class="hint">
        <a href={url} download={title}>
          {title}
        </a>{" "}
        · {blob.size} bytes{blob.type === "" ? "" : ` · ${blob.type}`}
      </p>
    </div>
  );
}
