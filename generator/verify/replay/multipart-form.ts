import type { Json } from "../../codegen/plan/json.ts";

/** A request of a method that takes files, with one of each of these names. */
export function multipartForm(request: Json, files: readonly string[]): FormData {
  const form = new FormData();
  form.set("json", JSON.stringify(request));
  for (const name of files) form.append(name, new Blob(["bytes"]), "file.txt");
  return form;
}
