import { propertyKey } from "../codegen/plan/names.ts";
import { methodKey, type Renames } from "./find-renames.ts";
import { generatedFolders, generatedSpecifier, handlerPath, moduleOf, specifierTo } from "./folders.ts";
import { type HandlerReference, resolveImport, type ServiceReference } from "./index/handler-index.ts";
import { addAtEnd, type Edit } from "./insert.ts";
import type { UpdateInput, UpdateTask } from "./task.ts";

/** Replaces old names of methods, services, types and their modules in hand-written code. */
export function applyRenames(task: UpdateTask): {
  readonly edits: Edit[];
  readonly moved: ReadonlyMap<string, string>;
} {
  const moved = movedFiles(task);
  const edits = [
    ...methodEdits(task),
    ...serviceEdits(task),
    ...typeEdits(task),
    ...importEdits(task, moved),
  ];
  return { edits, moved };
}

function methodEdits({ input, index, renames }: UpdateTask): Edit[] {
  const present = new Set(index.references.map(({ service, method }) => methodKey(service, method)));
  return index.references.flatMap((reference): Edit[] => {
    const to = renames.methods.get(methodKey(reference.service, reference.method));
    // Skip methods whose new name is already in use.
    const isDone = to !== undefined && isPresent(to, reference, present, renames);
    return to === undefined || isDone
      ? []
      : [renameReference(reference, to, input.files.get(reference.path) ?? "")];
  });
}

function isPresent(
  to: string,
  { service }: HandlerReference,
  present: ReadonlySet<string>,
  renames: Renames,
): boolean {
  return [service, renames.services.get(service)].some(
    (name) => name !== undefined && present.has(methodKey(name, to)),
  );
}

function renameReference(reference: HandlerReference, to: string, fileText: string): Edit {
  const { kind, path, span, method } = reference;
  if (kind === "export") {
    // The name may be used elsewhere in its module, so a second export is added.
    if (reference.isHandler) return addAtEnd(path, [`export { ${method} as ${to} };`], fileText);
    return { path, span, text: reference.isShorthand ? `${method} as ${to}` : to };
  }
  return { path, span, text: nameText(reference, to) };
}

function nameText(
  { isQuoted, isShorthand, path: _path, ...reference }: HandlerReference | ServiceReference,
  to: string,
): string {
  if (isQuoted) return JSON.stringify(to).slice(1, -1);
  const old = "method" in reference ? reference.method : reference.service;
  return isShorthand ? `${propertyKey(to)}: ${old}` : propertyKey(to);
}

function serviceEdits({ index, renames }: UpdateTask): Edit[] {
  return index.serviceReferences.flatMap((reference): Edit[] => {
    const to = renames.services.get(reference.service);
    return to === undefined
      ? []
      : [{ path: reference.path, span: reference.span, text: nameText(reference, to) }];
  });
}

function typeEdits({ input, index, renames }: UpdateTask): Edit[] {
  const names = new Map([...renames.types, ...handlerNames(input, renames)]);
  if (names.size === 0) return [];
  const edits: Edit[] = [];
  const renamedIn = new Map<string, Set<string>>();
  for (const { path, names: imported } of index.imports) {
    const taken = index.files.get(path)?.identifiers;
    for (const { name, span, isAliased } of imported) {
      const to = names.get(name);
      if (to === undefined) continue;
      const clashes = !isAliased && taken?.has(to) === true;
      edits.push({ path, span, text: clashes ? `${to} as ${name}` : to });
      if (isAliased || clashes) continue;
      const renamed = renamedIn.get(path) ?? new Set();
      renamedIn.set(path, renamed.add(name));
    }
  }
  for (const { path, name, span, qualifier } of index.typeNames) {
    const to = names.get(name);
    const isGenerated =
      qualifier === undefined
        ? renamedIn.get(path)?.has(name)
        : index.files.get(path)?.generatedNamespaces.has(qualifier);
    if (to !== undefined && isGenerated === true) edits.push({ path, span, text: to });
  }
  return edits;
}

function handlerNames({ lastSync, contract }: UpdateInput, { services }: Renames): [string, string][] {
  return [...services].flatMap(([from, to]): [string, string][] => {
    const [before, now] = [lastSync?.contract.services[from]?.handlers, contract.services[to]?.handlers];
    return before === undefined || now === undefined || before === now ? [] : [[before, now]];
  });
}

/** Files that are named after a method are renamed with it, unless the new file exists. */
function movedFiles({ input, renames }: UpdateTask): ReadonlyMap<string, string> {
  const moved = new Map<string, string>();
  const { files, root, lastSync } = input;
  for (const [service, { methods }] of Object.entries(lastSync?.contract.services ?? {})) {
    const toService = renames.services.get(service) ?? service;
    for (const method of Object.keys(methods)) {
      const to = handlerPath(root, toService, renames.methods.get(methodKey(service, method)) ?? method);
      const from = handlerPath(root, service, method);
      if (from !== to && files.has(from) && !files.has(to)) moved.set(from, to);
    }
  }
  return moved;
}

/** Updates imports of generated code whose folder changed, and of handler files that moved. */
function importEdits(task: UpdateTask, moved: ReadonlyMap<string, string>): Edit[] {
  const { index, input } = task;
  const generated = index.imports.flatMap(({ path, specifier, span }): Edit[] => {
    const text = renamedSpecifier(task, moved.get(path) ?? path, { path, specifier });
    return text === specifier ? [] : [{ path, span, text }];
  });
  if (moved.size === 0) return generated;
  const handWrittenEdits = [...index.files].flatMap(([path, { relativeImports }]) =>
    relativeImports.flatMap(({ specifier, span }): Edit[] => {
      const target = resolveImport(path, specifier, (each) => input.files.has(each));
      if (target === undefined || (!moved.has(target) && !moved.has(path))) return [];
      const to = specifierTo(input, moved.get(target) ?? target, moved.get(path) ?? path);
      const text = to.replace(/[.]ts$/, /[.][cm]?[jt]s$/.exec(specifier)?.[0] ?? "");
      return text === specifier ? [] : [{ path, span, text }];
    }),
  );
  return [...generated, ...handWrittenEdits];
}

function renamedSpecifier(
  { input }: UpdateTask,
  newPath: string,
  { path, specifier }: { readonly path: string; readonly specifier: string },
): string {
  const found = moduleOf(path, specifier, generatedFolders(input, input.lastSync), input);
  if (found === undefined) return specifier;
  const { folder, module, extension } = found;
  if (folder === "" || (folder === input.generated && newPath === path)) return specifier;
  return generatedSpecifier(input, module, { from: newPath, extension });
}
