import { cover } from "../../source/span.ts";
import type {
  AliasNode,
  AnnotationNode,
  ArgumentNode,
  ArgumentsNode,
  Declaration,
  EnumNode,
  ErrorNode,
  FieldNode,
  Header,
  Import,
  MetaNode,
  MethodNode,
  SchemaFile,
  ServiceNode,
  StructNode,
} from "../../syntax/tree.ts";
import { typeText } from "../../syntax/type-text.ts";
import type { Piece } from "./piece.ts";
import { isRidlText, type TextPrinter, textPrinter } from "./text.ts";

/** The lines of a tree, in the order in which they are printed: that of the text, or headers and imports first if there is none. */
export function piecesOf(file: SchemaFile): Piece[] {
  const print: Printer = {
    file,
    text: textPrinter(file),
    docsOf: (node) => file.docs?.get(node) ?? [],
    remarksOf: (node) => file.otherComments?.get(node) ?? [],
  };
  const pieces = [
    ...file.headers.map((header) => headerPiece(header, print)),
    ...importPieces(file.imports, print),
    ...file.declarations.flatMap((node) => declarationPieces(node, print)),
  ];
  return isRidlText(file) ? pieces.sort((a, b) => a.span.start - b.span.start) : pieces;
}

interface Printer {
  readonly file: SchemaFile;
  readonly text: TextPrinter;
  readonly docsOf: (node: object) => readonly string[];
  readonly remarksOf: (node: object) => readonly string[];
}

function spokenOf(node: object, print: Printer): Pick<Piece, "docs" | "remarks"> {
  return { docs: print.docsOf(node), remarks: print.remarksOf(node) };
}

type Line = Pick<Piece, "text" | "span"> & Partial<Piece>;

function piece(root: Piece["root"], line: Line): Piece {
  return { level: 0, kind: root, root, hasBody: false, takesComments: true, docs: [], remarks: [], ...line };
}

//= name = example
function headerPiece(node: Header, print: Printer): Piece {
  const text = `${node.key} = ${print.text.value(node.value, "literal")}`;
  return piece("header", { text, span: node.span, ...spokenOf(node, print) });
}

/** `import path` each; those of a list stay together, and so do several without members where no text says how they stood. */
function importPieces(imports: readonly Import[], print: Printer): Piece[] {
  const areListed = !isRidlText(print.file) && imports.length > 1 && imports.every(isWhole);
  if (areListed) {
    const [{ span }] = imports as readonly [Import];
    return [importHead(span), ...imports.map((node) => importItem(node, print))];
  }
  return imports.flatMap((node, index) => {
    if (node.list === undefined) return importPath(node, print);
    const isFirst = imports[index - 1]?.list?.start !== node.list.start;
    const item = importItem(node, print);
    return isFirst ? [importHead(node.list), item] : [item];
  });
}

function isWhole({ members }: Import): boolean {
  return members.length === 0;
}

//= import
function importHead(span: Piece["span"]): Piece {
  return piece("import", { text: "import", span, hasBody: true, takesComments: false });
}

//=   - types/order.ridl
function importItem(node: Import, print: Printer): Piece {
  const { path, span } = node;
  const text = `- ${print.text.value(path, "path")}`;
  const line = { text, span, kind: "item", level: 1, takesComments: false } as const;
  return piece("import", { ...line, ...spokenOf(node, print) });
}

//= import types/order.ridl
//=   - Order
function importPath(node: Import, print: Printer): Piece[] {
  const { path, members, span } = node;
  const head = { text: `import ${print.text.value(path, "path")}`, span, hasBody: members.length > 0 };
  const items = members.map((member) => {
    const text = `- ${print.text.value(member, "literal")}`;
    return piece("import", { text, span: member.span, kind: "item", level: 1, takesComments: false });
  });
  return [piece("import", { ...head, takesComments: false, ...spokenOf(node, print) }), ...items];
}

function declarationPieces(node: Declaration, print: Printer): Piece[] {
  switch (node.kind) {
    case "alias":
      return aliasPieces(node, print);
    case "enum":
      return enumPieces(node, print);
    case "struct":
      return structPieces(node, print);
    case "error":
      return [errorPiece(node, print)];
    case "service":
      return servicePieces(node, print);
  }
}

//= type UserId: string
//=   + example = "17"
function aliasPieces(node: AliasNode, print: Printer): Piece[] {
  const text = `type ${node.name.text}: ${typeText(node.type)}`;
  const hasBody = node.meta.length > 0;
  const head = piece("alias", { text, span: headSpan(node), hasBody, ...spokenOf(node, print) });
  return [head, ...node.meta.map((meta) => ({ ...metaPiece("alias", meta, print), level: 1 as const }))];
}

//= enum Kind: uint8
//=   - USER = 1
function enumPieces(node: EnumNode, print: Printer): Piece[] {
  const text = `enum ${node.name.text}: ${node.base.text}`;
  const hasBody = node.values.length > 0;
  const values = node.values.map((value) => {
    const right = value.value === undefined ? "" : ` = ${print.text.value(value.value, "literal")}`;
    const line = { text: `- ${value.name.text}${right}`, span: value.span, ...spokenOf(value, print) };
    return piece("enum", { ...line, kind: "item", level: 1 });
  });
  return [piece("enum", { text, span: headSpan(node), hasBody, ...spokenOf(node, print) }), ...values];
}

//= struct User
//=   - id?: uint64
//=     + json = user_id
function structPieces(node: StructNode, print: Printer): Piece[] {
  const hasBody = node.fields.length > 0;
  const head = piece("struct", {
    text: `struct ${node.name.text}`,
    span: headSpan(node),
    hasBody,
    ...spokenOf(node, print),
  });
  return [head, ...node.fields.flatMap((field) => fieldPieces(field, print))];
}

function fieldPieces(node: FieldNode, print: Printer): Piece[] {
  const text = `- ${node.name.text}${node.optional ? "?" : ""}: ${typeText(node.type)}`;
  const span = { start: node.span.start, end: node.type.span.end };
  const line = { text, span, hasBody: node.meta.length > 0, ...spokenOf(node, print) };
  return [
    piece("struct", { ...line, kind: "item", level: 1 }),
    ...node.meta.map((meta) => metaPiece("struct", meta, print)),
  ];
}

//=     + json = user_id
function metaPiece(root: Piece["root"], { key, value, span }: MetaNode, print: Printer): Piece {
  const text = `+ ${print.text.key(key)} = ${print.text.value(value, "meta")}`;
  return piece(root, { text, span, kind: "meta", level: 2, takesComments: false });
}

//= error 404 NotFound "not found" HTTP 404
function errorPiece(node: ErrorNode, print: Printer): Piece {
  const cells = [`error ${node.code.text}`, node.name.text, print.text.value(node.message, "message")];
  if (node.httpStatus !== undefined) cells.push(`HTTP ${node.httpStatus.text}`);
  const line = { text: cells.join(" "), cells, span: node.span, ...spokenOf(node, print) };
  return piece("error", { ...line, takesComments: false });
}

//= service Users
function servicePieces(node: ServiceNode, print: Printer): Piece[] {
  const text = `service ${print.text.value(node.name, "literal")}`;
  const span = { start: node.span.start, end: node.name.span.end };
  const head = piece("service", { text, span, hasBody: node.methods.length > 0, ...spokenOf(node, print) });
  return [head, ...node.methods.flatMap((method) => methodPieces(method, print))];
}

//=   @public
//=   - GetUser(id: uint64) => (user: User) errors NotFound
function methodPieces(node: MethodNode, print: Printer): Piece[] {
  const spoken = spokenOf(node, print);
  const lines = annotationLines(node.annotations, print);
  const annotations = lines.map((line, index) => ({
    text: line.map((one) => printAnnotation(one, print)).join(" "),
    span: cover((line[0] as AnnotationNode).span, (line.at(-1) as AnnotationNode).span),
    takesComments: index === lines.length - 1,
    ...(index === 0 ? spoken : {}),
  }));
  const line = { text: printMethod(node), span: node.span, ...(lines.length === 0 ? spoken : {}) };
  return [
    ...annotations.map((one) => piece("service", { ...one, kind: "annotations", level: 1 })),
    piece("service", { ...line, kind: "method", level: 1, takesComments: lines.length === 0 }),
  ];
}

/** As they stand: joining two lines would give the method comments that the reference tool has lost. Without a text, one line. */
function annotationLines(annotations: readonly AnnotationNode[], { file }: Printer): AnnotationNode[][] {
  const lines: AnnotationNode[][] = [];
  let last = 0;
  for (const annotation of annotations) {
    const line = isRidlText(file) ? file.source.lineAt(annotation.span.start) : 1;
    if (line === last) lines.at(-1)?.push(annotation);
    else lines.push([annotation]);
    last = line;
  }
  return lines;
}

function printAnnotation({ name, value }: AnnotationNode, print: Printer): string {
  return value === undefined ? `@${name.text}` : `@${name.text}:${print.text.value(value, "word")}`;
}

function printMethod({ name, proxy, input, output, errors }: MethodNode): string {
  if (proxy) return `- proxy ${name.text}`;
  const left = `${input.stream ? "stream " : ""}${name.text}${printArguments(input)}`;
  const isSilent = !output.stream && output.succinct === undefined && output.list.length === 0;
  const right = isSilent ? "" : ` => ${output.stream ? "stream " : ""}${printArguments(output)}`;
  const clause = errors.length === 0 ? "" : ` errors ${errors.map(({ text }) => text).join(" | ")}`;
  return `- ${left}${right}${clause}`;
}

function printArguments({ succinct, list }: ArgumentsNode): string {
  return `(${succinct === undefined ? list.map(printArgument).join(", ") : succinct.text})`;
}

function printArgument({ name, optional, type }: ArgumentNode): string {
  return `${name.text}${optional ? "?" : ""}: ${typeText(type)}`;
}

/** The line of a declaration, without what hangs on it. */
function headSpan(node: AliasNode | EnumNode | StructNode): Piece["span"] {
  const last = node.kind === "alias" ? node.type : node.kind === "enum" ? node.base : node.name;
  return { start: node.span.start, end: last.span.end };
}
