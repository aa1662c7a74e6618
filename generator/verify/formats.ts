import { checkedFormat } from "../language/model/meta/keys.ts";
import * as formatTests from "../runtime/src/formats.ts";

const tests = new Map(Object.entries(formatTests));

/** Whether a text has a format, or the format is none that servers check. */
export function hasFormat(text: string, format: string | undefined): boolean {
  const checked = checkedFormat(format);
  return checked === undefined || tests.get(checked.test)?.(text) === true;
}
