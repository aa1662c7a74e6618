/** Copies a link that opens the page with the request filled in. */
import { useState } from "preact/hooks";
import { linkLengthMax, linkOf, omittedText, type SavedRequest } from "../call/saved-request.ts";
import { copyText } from "./parts.tsx";

interface CopyLinkProps {
  /** The route of the method. */
  readonly page: string;
  readonly saved: SavedRequest;
}

export function CopyLink({ page, saved: { text, omitted } }: CopyLinkProps) {
  const [status, setStatus] = useState("");
  const copy = async (): Promise<void> => {
    const link = linkOf(`${location.href.split("#")[0]}${page}`, text);
    if ("tooLong" in link) {
      setStatus(
        `Too long for a link: ${link.tooLong} characters, of at most ${linkLengthMax}. Share the curl command.`,
      );
      return;
    }
    if (!(await copyText(link.url)))
      setStatus("Copying failed: the browser allows it on HTTPS and localhost.");
    else setStatus(`Link copied${omitted.length === 0 ? "" : ` without ${omittedText(omitted)}`}.`);
  };
  return (
    <>
      <button type="button" onClick={copy}>
        Copy link
      </button>
      <p class="hint" role="status">
        {status}
      </p>
    </>
  );
}
