import type { Json } from "../../codegen/plan/json.ts";

/** Builds a multipart request with one small file for each name. */
export function multipartForm(request: Json, files: readonly string[]): FormData {
  const form = new FormData();
  form.set("json", JSON.stringify(request));
  for (const name of files) form.append(name, new Blob(["bytes"]), "file.txt");
  return form;
}
