/** Implements the requests of the Language Server Protocol on the current contents of the editor. */
import {
  type CodeAction,
  CodeActionKind,
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  DiagnosticSeverity,
  type DocumentHighlight,
  DocumentHighlightKind,
  type DocumentSymbol,
  type Diagnostic as EditorDiagnostic,
  type Hover,
  InsertTextFormat,
  type Location,
  type Position,
  type Range,
  SymbolKind,
  type TextEdit,
  type WorkspaceEdit,
  type WorkspaceSymbol,
} from "vscode-languageserver/node";
import type { Diagnostic, Fix } from "../../language/diagnostics/diagnostic.ts";
import { distinct } from "../../language/diagnostics/tally.ts";
import { type FixedFile, fixFiles } from "../../language/fixes.ts";
import type { Scope } from "../../language/model/scope.ts";
import { format } from "../../language/ridl/format.ts";
import { SourceFile } from "../../language/source/source-file.ts";
import type { Span } from "../../language/source/span.ts";
import type {
  Declaration,
  EnumValueNode,
  FieldNode,
  MethodNode,
  SchemaFile,
} from "../../language/syntax/tree.ts";
import { complete, type Suggestion } from "./complete.ts";
import { hoverText } from "./hover.ts";
import type { ProjectSchema } from "./language-server-host.ts";
import { isDeclared, type Mention, mentionAt, mentionsIn, nameOf, nameSpan } from "./names-in-schema.ts";
import { editOf, locationOf, offsetOf, rangeOf, uriOf } from "./positions.ts";
import { referenceAt, referencesOf, referencesTo, rename } from "./references.ts";
import type { FileInSchema, Workspace } from "./workspace.ts";

/** A request that cannot be fulfilled. The message is shown to the user. */
export class RequestRejected extends Error {}

interface FoundMention extends FileInSchema {
  readonly mention: Mention;
}

export class Features {
  readonly #workspace: Workspace;
  /** The files after all fixes, by the diagnostics that editors show: they request actions at each move of the cursor. */
  readonly #fixed = new WeakMap<readonly Diagnostic[], readonly FixedFile[]>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  async #find(path: string, position: Position): Promise<FoundMention | undefined> {
    const file = await this.#workspace.fileInSchema(path);
    if (file === undefined) return undefined;
    const mention = mentionAt(mentionsIn(file.scope), offsetOf(file.scope.file.source, position));
    return mention && { ...file, mention };
  }

  async hover(path: string, position: Position): Promise<Hover | undefined> {
    const found = await this.#find(path, position);
    if (found === undefined) return undefined;
    const { mention, scope, scopes } = found;
    return {
      contents: { kind: "markdown", value: hoverText(mention.entity, scopes) },
      range: rangeOf(scope.file.source, mention.span),
    };
  }

  /** Goes from a name to its declaration, and from a handler to its method. */
  async definition(path: string, position: Position): Promise<readonly Location[]> {
    if (/[.][cm]?tsx?$/.test(path)) return this.#methodsOf(path, position);
    const found = await this.#find(path, position);
    if (found === undefined) return [];
    const { entity } = found.mention;
    if (entity.kind === "import") return [locationOf(entity.target.source, { start: 0, end: 0 })];
    return isDeclared(entity) ? [locationOf(entity.file.source, nameSpan(entity))] : [];
  }

  /** Goes from a method to its handler. */
  async implementation(path: string, position: Position): Promise<readonly Location[]> {
    const found = await this.#find(path, position);
    if (found === undefined) return [];
    const project = await this.#workspace.project(path);
    const references = await this.#workspace.handlerReferences(project);
    return referencesOf(found.mention.entity, references).map((reference) =>
      locationOf(new SourceFile(reference.path, reference.text), reference.span),
    );
  }

  async #methodsOf(path: string, position: Position): Promise<readonly Location[]> {
    const project = await this.#workspace.project(path);
    if (!project.handlers.some((folder) => path.startsWith(`${folder}/`))) return [];
    const reference = referenceAt(path, position, await this.#workspace.handlerReferences(project));
    if (reference === undefined) return [];
    return project.schemas.flatMap((schema) =>
      this.#workspace
        .scopesOf(schema)
        .flatMap((scope) =>
          mentionsIn(scope).flatMap(({ entity, span, isDeclaration }) =>
            isDeclaration &&
            entity.kind === "method" &&
            entity.node.name.text === reference.method &&
            entity.service.name.value === reference.service
              ? [locationOf(scope.file.source, span)]
              : [],
          ),
        ),
    );
  }

  async references(path: string, position: Position, withDeclaration: boolean): Promise<readonly Location[]> {
    const found = await this.#find(path, position);
    if (found === undefined || !isDeclared(found.mention.entity)) return [];
    return referencesTo(found.mention.entity, await this.#allScopes(path))
      .filter(({ isDeclaration }) => withDeclaration || !isDeclaration)
      .map(({ source, span }) => locationOf(source, span));
  }

  async highlights(path: string, position: Position): Promise<readonly DocumentHighlight[]> {
    const found = await this.#find(path, position);
    if (found === undefined || !isDeclared(found.mention.entity)) return [];
    return referencesTo(found.mention.entity, [found.scope]).map(({ source, span, isDeclaration }) => ({
      range: rangeOf(source, span),
      kind: isDeclaration ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
    }));
  }

  /** Returns the scopes of all schemas of the project, because a file may belong to several schemas. */
  async #allScopes(path: string): Promise<readonly Scope[]> {
    return (await this.#schemasAround(path)).flatMap((schema) => this.#workspace.scopesOf(schema));
  }

  async #schemasAround(path: string): Promise<readonly ProjectSchema[]> {
    const { schemas } = await this.#workspace.project(path);
    return [...new Set([...schemas, ...(await this.#workspace.schemasOf(path))])];
  }

  async prepareRename(path: string, position: Position): Promise<Range | undefined> {
    const found = await this.#find(path, position);
    if (found === undefined || !isDeclared(found.mention.entity)) return undefined;
    return rangeOf(found.scope.file.source, found.mention.span);
  }

  async rename(
    path: string,
    position: Position,
    name: string,
    supportsAnnotations: boolean,
  ): Promise<WorkspaceEdit> {
    const found = await this.#find(path, position);
    if (found === undefined || !isDeclared(found.mention.entity))
      throw new RequestRejected("Only names that the schema declares can be renamed.");
    const { entity } = found.mention;
    const affected = await this.#schemasAround(path);
    const result = rename({
      entity,
      name,
      references: referencesTo(entity, await this.#allScopes(path)),
      check: (texts) => affected.flatMap((schema) => this.#workspace.checkWith(schema, texts ?? new Map())),
    });
    if (typeof result === "string") throw new RequestRejected(result);
    const { edits, wireWarning } = result;
    const annotation = supportsAnnotations && wireWarning !== undefined ? "wire" : undefined;
    const sources = [...new Set(edits.map(({ source }) => source))];
    const editsIn = (source: SourceFile): TextEdit[] =>
      edits
        .filter((edit) => edit.source === source)
        .map(({ span }) => ({
          ...editOf(source, span, name),
          ...(annotation === undefined ? {} : { annotationId: annotation }),
        }));
    if (annotation === undefined)
      return { changes: Object.fromEntries(sources.map((source) => [uriOf(source.path), editsIn(source)])) };
    return {
      documentChanges: sources.map((source) => ({
        textDocument: { uri: uriOf(source.path), version: null },
        edits: editsIn(source),
      })),
      changeAnnotations: {
        wire: {
          label: `Rename ${nameOf(entity)}`,
          description: wireWarning as string,
          needsConfirmation: true,
        },
      },
    };
  }

  /** `withSnippets`: whether the editor supports snippets with tab stops. */
  async completion(path: string, position: Position, withSnippets: boolean): Promise<CompletionList> {
    const file = await this.#workspace.lastReadableFile(path);
    const text = this.#workspace.texts.get(path);
    if (file === undefined || text === undefined) return { isIncomplete: false, items: [] };
    const source = new SourceFile(path, text);
    const { suggestions, isIncomplete, span } = await complete({
      ...file,
      source,
      offset: offsetOf(source, position),
      currentScope: async () => (await this.#workspace.fileInSchema(path))?.scope,
      list: (folder) => this.#workspace.list(folder),
    });
    const range = rangeOf(source, span);
    return {
      isIncomplete: isIncomplete,
      items: suggestions.map((each, index) => itemOf(each, index, { range, withSnippets })),
    };
  }

  async format(path: string): Promise<readonly TextEdit[]> {
    const text = this.#workspace.texts.get(path);
    if (text === undefined || !path.endsWith(".ridl")) return [];
    const source = new SourceFile(path, text);
    const { text: formatted } = format(source);
    return formatted === undefined || formatted === text ? [] : [smallestEdit(source, formatted)];
  }

  async outline(path: string): Promise<readonly DocumentSymbol[]> {
    const inSchema = await this.#workspace.fileInSchema(path);
    if (inSchema === undefined) return [];
    const { file } = inSchema.scope;
    const { source } = file;
    return outlineOf(file).map((item) => symbolOf(item, source));
  }

  /** Finds declarations in all schemas that open files belong to. */
  async symbols(query: string): Promise<readonly WorkspaceSymbol[]> {
    const wanted = query.toLowerCase();
    const seen = new Map<string, WorkspaceSymbol>();
    for (const path of this.#workspace.texts.keys())
      for (const { file } of await this.#allScopes(path))
        for (const item of outlineOf(file).flatMap((each) => [each, ...each.items])) {
          if (item.kind === "field" || item.kind === "enum-value") continue;
          if (!item.name.toLowerCase().includes(wanted)) continue;
          const location = locationOf(file.source, item.at);
          seen.set(`${location.uri} ${item.at.start}`, { name: item.name, kind: kinds[item.kind], location });
        }
    return [...seen.values()].slice(0, 1_000);
  }

  /** The fixes and suggestions of diagnostics in a range, and an action that applies all fixes of the file, but no suggestion. */
  async actions(path: string, range: Range, found: readonly Diagnostic[]): Promise<readonly CodeAction[]> {
    const offered = found.flatMap((one) =>
      [one.fix, one.suggestion].flatMap((edits) =>
        one.path === path && edits !== undefined ? [{ one, edits, isFix: edits === one.fix }] : [],
      ),
    );
    const inRange = offered.filter(
      ({ one: { at } }) => at !== undefined && overlaps(rangeOf(at.file, at.span), range),
    );
    const single = inRange.map(({ one, edits, isFix }) => ({
      title: edits.title,
      kind: CodeActionKind.QuickFix,
      diagnostics: [editorDiagnostic(one)],
      isPreferred: isFix && inRange.length === 1,
      edit: editsOf(edits),
    }));
    if (offered.filter(({ isFix }) => isFix).length < 2) return single;
    const files = this.#fixed.get(found) ?? (await this.#fix(path));
    this.#fixed.set(found, files);
    return [
      ...single,
      ...files.map(({ file, text, fixes }) => ({
        title: `Apply all ${fixes.length} fixes in this file`,
        kind: CodeActionKind.SourceFixAll,
        edit: { changes: { [uriOf(path)]: [smallestEdit(file, text)] } },
      })),
    ];
  }

  async #fix(path: string): Promise<readonly FixedFile[]> {
    const schemas = await this.#workspace.schemasOf(path);
    return fixFiles(
      (texts) => distinct(schemas.flatMap((schema) => this.#workspace.checkWith(schema, texts))),
      (fix) => fix.file.path === path,
    ).files;
  }
}

/** Converts a diagnostic to the protocol's format. Notes become related information. */
export function editorDiagnostic({
  code,
  severity,
  message,
  advice,
  at,
  notes,
}: Diagnostic): EditorDiagnostic {
  const related = notes.flatMap(({ message: text, at: where }) =>
    where === undefined ? [] : [{ message: text, location: locationOf(where.file, where.span) }],
  );
  return {
    range: at === undefined ? fileStart : rangeOf(at.file, at.span),
    severity: severity === "error" ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code,
    source: "ridlkit",
    message: advice === undefined ? message : `${message}\n${advice}`,
    ...(related.length === 0 ? {} : { relatedInformation: related }),
  };
}

const fileStart: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

function editsOf({ file, edits }: Fix): WorkspaceEdit {
  return { changes: { [uriOf(file.path)]: edits.map(({ span, text }) => editOf(file, span, text)) } };
}

function overlaps(one: Range, other: Range): boolean {
  const isBefore = (a: Position, b: Position): boolean =>
    a.line < b.line || (a.line === b.line && a.character < b.character);
  return !isBefore(one.end, other.start) && !isBefore(other.end, one.start);
}

/** An edit from the first to the last difference, so that cursors and folds outside it are kept. */
function smallestEdit(source: SourceFile, text: string): TextEdit {
  const before = source.text;
  let start = 0;
  while (start < before.length && start < text.length && before[start] === text[start]) start++;
  let end = 0;
  const maxLength = Math.min(before.length, text.length) - start;
  while (end < maxLength && before[before.length - 1 - end] === text[text.length - 1 - end]) end++;
  const span = { start, end: before.length - end };
  return editOf(source, span, text.slice(start, text.length - end));
}

function itemOf(
  suggestion: Suggestion,
  index: number,
  { range, withSnippets }: { readonly range: Range; readonly withSnippets: boolean },
): CompletionItem {
  const { label, kind, detail, docs, snippet, fix } = suggestion;
  const written = snippet ?? label;
  const newText = withSnippets ? written : written.replace(/\$(\{\d:([^}]*)\}|\d)/g, "$2");
  const isSnippet = withSnippets && /\$[{0-9]/.test(written);
  return {
    label,
    kind: itemKinds[kind],
    sortText: String(index).padStart(5, "0"),
    textEdit: { range, newText },
    ...(isSnippet ? { insertTextFormat: InsertTextFormat.Snippet } : {}),
    ...(detail === undefined ? {} : { detail }),
    ...(docs === undefined ? {} : { documentation: { kind: "markdown", value: docs } }),
    ...(fix === undefined
      ? {}
      : { additionalTextEdits: fix.edits.map(({ span, text }) => editOf(fix.file, span, text)) }),
  };
}

const itemKinds: Readonly<Record<Suggestion["kind"], CompletionItemKind>> = {
  keyword: CompletionItemKind.Keyword,
  key: CompletionItemKind.Property,
  core: CompletionItemKind.TypeParameter,
  struct: CompletionItemKind.Struct,
  enum: CompletionItemKind.Enum,
  alias: CompletionItemKind.Class,
  error: CompletionItemKind.Event,
  value: CompletionItemKind.Value,
  file: CompletionItemKind.File,
  annotation: CompletionItemKind.Interface,
};

function symbolOf({ name, kind, detail, span, at, items }: OutlineItem, source: SourceFile): DocumentSymbol {
  return {
    name: name === "" ? "?" : name,
    kind: kinds[kind],
    ...(detail === undefined ? {} : { detail }),
    range: rangeOf(source, span),
    selectionRange: rangeOf(source, at),
    children: items.map((item) => symbolOf(item, source)),
  };
}

const kinds: Readonly<Record<OutlineItem["kind"], SymbolKind>> = {
  struct: SymbolKind.Struct,
  enum: SymbolKind.Enum,
  alias: SymbolKind.Class,
  error: SymbolKind.Event,
  service: SymbolKind.Interface,
  field: SymbolKind.Field,
  "enum-value": SymbolKind.EnumMember,
  method: SymbolKind.Method,
};

/** A declaration with its members. */
export interface OutlineItem {
  readonly name: string;
  readonly kind: Declaration["kind"] | "field" | "enum-value" | "method";
  readonly detail?: string;
  readonly span: Span;
  /** The span of the name. */
  readonly at: Span;
  readonly items: readonly OutlineItem[];
}

function outlineOf({ declarations, source }: SchemaFile): readonly OutlineItem[] {
  return declarations.map((node) => outlineItem(node, source));
}

function outlineItem(node: Declaration, { text }: SourceFile): OutlineItem {
  const own = { kind: node.kind, span: node.span, at: node.name.span };
  const textAt = ({ start, end }: Span): string => text.slice(start, end);
  switch (node.kind) {
    case "struct": {
      const items = node.fields.map((field) => ({ ...leaf(field), detail: textAt(field.type.span) }));
      return { ...own, name: node.name.text, items };
    }
    case "enum":
      return { ...own, name: node.name.text, detail: node.base.text, items: node.values.map(leaf) };
    case "service":
      return { ...own, name: node.name.value, items: node.methods.map(leaf) };
    case "alias":
      return { ...own, name: node.name.text, detail: textAt(node.type.span), items: [] };
    case "error":
      return { ...own, name: node.name.text, detail: node.code.text, items: [] };
  }
}

function leaf({ kind, name, span }: FieldNode | EnumValueNode | MethodNode): OutlineItem {
  return { kind, name: name.text, span, at: name.span, items: [] };
}
