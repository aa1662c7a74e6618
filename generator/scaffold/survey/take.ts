import type { ClassDeclaration, Node as MorphNode, ObjectLiteralExpression, SourceFile } from "ts-morph";
import { contextOf, keyOf } from "./context.ts";
import { type HandlersOf, HandlerTypes, type Vocabulary } from "./handler-types.ts";
import {
  type FileNotes,
  type GeneratedImport,
  type Home,
  type Morph,
  resolveImport,
  type ServiceSite,
  type Site,
  type Survey,
  type SyntaxFault,
  type TypeName,
} from "./survey.ts";

export interface SurveyInput {
  /** Texts of the hand-written files by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly vocabulary: Vocabulary;
  /** Whether an import, by the path of the file and its specifier, leads into the generated folder. */
  readonly isGenerated: (path: string, specifier: string) => boolean;
}

/** Reads hand-written files and says where they speak of the schema. Changes nothing. */
export function takeSurvey(input: SurveyInput, morph: Morph): Survey {
  return new Surveyor(input, morph).take();
}

class Surveyor {
  readonly #input: SurveyInput;
  readonly #morph: Morph;
  readonly #sources = new Map<string, SourceFile>();
  readonly #paths = new Map<SourceFile, string>();
  readonly #types = new Map<SourceFile, HandlerTypes>();
  /** Objects, classes and modules that were looked at, so that each is once. */
  readonly #seen = new Set<MorphNode>();

  readonly #sites: Site[] = [];
  readonly #services: ServiceSite[] = [];
  readonly #homes: Home[] = [];
  readonly #imports: GeneratedImport[] = [];
  readonly #typeNames: TypeName[] = [];
  readonly #files = new Map<string, FileNotes>();
  readonly #faults: SyntaxFault[] = [];

  constructor(input: SurveyInput, morph: Morph) {
    this.#input = input;
    this.#morph = morph;
  }

  take(): Survey {
    const { Project } = this.#morph;
    const project = new Project({
      useInMemoryFileSystem: true,
      skipLoadingLibFiles: true,
      skipFileDependencyResolution: true,
      compilerOptions: { noLib: true, allowJs: true },
    });
    for (const [path, text] of this.#input.files) {
      // A byte order mark would be cut off, and every place be one off.
      const source = project.createSourceFile(`/${path}`, text.replace(/^\uFEFF/, " "));
      this.#sources.set(path, source);
      this.#paths.set(source, path);
      this.#types.set(source, new HandlerTypes(source, this.#input.vocabulary, this.#morph));
      this.#addFaults(source, path);
    }
    for (const source of this.#sources.values()) this.#file(source);
    return {
      sites: this.#sites,
      services: this.#services,
      homes: this.#homes,
      imports: this.#imports,
      typeNames: this.#typeNames,
      files: this.#files,
      faults: this.#faults,
    };
  }

  #addFaults(source: SourceFile, path: string): void {
    // What the parser says is kept in the tree, and costs no program.
    const { parseDiagnostics = [] } = source.compilerNode as unknown as { parseDiagnostics?: ParseFault[] };
    for (const { start, length, messageText } of parseDiagnostics) {
      const message = typeof messageText === "string" ? messageText : messageText.messageText;
      this.#faults.push({ path, span: { start, end: start + length }, message: message.replace(/\.$/, "") });
    }
  }

  #file(source: SourceFile): void {
    const { Node } = this.#morph;
    const path = this.#pathOf(source);
    this.#notes(source, path);
    if (this.#typesOf(source).isEmpty) return;
    source.forEachDescendant((node) => {
      if (Node.isIndexedAccessTypeNode(node) || Node.isTypeReference(node)) this.#type(node, path);
      else if (Node.isObjectLiteralExpression(node))
        this.#gather(node, contextOf(node, this.#typesOf(source), this.#morph));
      else if (Node.isClassDeclaration(node)) this.#class(node);
      else if (Node.isIdentifier(node)) this.#shorthandOf(node);
    });
  }

  #notes(source: SourceFile, path: string): void {
    const { Node, SyntaxKind } = this.#morph;
    const imports = source.getImportDeclarations();
    const generated = imports.filter((each) => this.#input.isGenerated(path, each.getModuleSpecifierValue()));
    const namespaces = generated.flatMap((each) => each.getNamespaceImport()?.getText() ?? []);
    const relative = [...imports, ...source.getExportDeclarations()].flatMap((each) => {
      const literal = each.getModuleSpecifier();
      if (literal === undefined || !literal.getLiteralText().startsWith(".")) return [];
      return [{ specifier: literal.getLiteralText(), span: insideQuotes(literal) }];
    });
    const identifiers = source.getDescendantsOfKind(SyntaxKind.Identifier);
    this.#files.set(path, {
      identifiers: new Set(identifiers.map((each) => each.getText())),
      importsEnd: imports.at(-1)?.getEnd(),
      relativeImports: relative,
      generatedNamespaces: new Set(namespaces),
    });
    for (const declaration of generated) {
      const names = declaration.getNamedImports().map((named) => ({
        name: named.getName(),
        span: spanOf(named.getNameNode()),
        isAliased: named.getAliasNode() !== undefined,
      }));
      const specifier = declaration.getModuleSpecifier();
      const span = insideQuotes(specifier);
      this.#imports.push({ path, specifier: specifier.getLiteralText(), span, names });
    }
    if (generated.length === 0) return;
    for (const node of identifiers) {
      const parent = node.getParent();
      const at = { path, name: node.getText(), span: spanOf(node) };
      if (Node.isQualifiedName(parent) && parent.getRight() === node)
        this.#typeNames.push({ ...at, qualifier: parent.getLeft().getText() });
      else if (isUse(node, parent, this.#morph)) this.#typeNames.push({ ...at, qualifier: undefined });
    }
  }

  /** `MarketplaceHandlers["GetOrders"]`, `Handlers["Marketplace"]`, `Pick<MarketplaceHandlers, "GetOrders">`. */
  #type(node: MorphNode, path: string): void {
    const { Node } = this.#morph;
    const types = this.#typesOf(node.getSourceFile());
    const [object, index] = Node.isIndexedAccessTypeNode(node)
      ? [node.getObjectTypeNode(), node.getIndexTypeNode()]
      : Node.isTypeReference(node) && /^(Pick|Omit)$/.test(node.getTypeName().getText())
        ? node.getTypeArguments()
        : [];
    const of = types.read(object);
    if (of === undefined) return;
    for (const literal of types.literals(index)) {
      const span = insideQuotes(literal);
      const name = literal.getText().slice(1, -1);
      const at = { path, span, isQuoted: true, isShorthand: false };
      if (of === "api") this.#services.push({ ...at, service: name });
      else
        this.#sites.push({
          ...at,
          kind: "type",
          service: of.service,
          method: name,
          isHandler: isHandler(node, this.#morph),
        });
    }
  }

  /** An object of handlers, or of services of them. */
  #gather(object: ObjectLiteralExpression, of: HandlersOf | undefined): void {
    const { Node } = this.#morph;
    if (of === undefined || this.#seen.has(object)) return;
    this.#seen.add(object);
    const path = this.#pathOf(object.getSourceFile());
    const names = new Set<string>();
    let isOpen = false;
    for (const property of object.getProperties()) {
      if (Node.isSpreadAssignment(property)) {
        const spread = this.#namesOf(property.getExpression());
        for (const name of spread ?? []) names.add(name);
        if (spread === undefined) isOpen = true;
        continue;
      }
      const key = keyOf(property, this.#morph);
      if (key === undefined) {
        isOpen = true;
        continue;
      }
      names.add(key.name);
      const { start, end, isQuoted } = key;
      const at = {
        path,
        span: { start, end },
        isQuoted,
        isShorthand: Node.isShorthandPropertyAssignment(property),
      };
      if (of === "api") {
        this.#services.push({ ...at, service: key.name });
        this.#follow(
          Node.isPropertyAssignment(property) ? property.getInitializer() : property.getNameNode(),
          key.name,
        );
      } else
        this.#sites.push({
          ...at,
          kind: "property",
          service: of.service,
          method: key.name,
          isHandler: false,
        });
    }
    const last = object.getProperties().at(-1);
    const inside = { start: object.getStart() + 1, end: object.getEnd() - 1 };
    this.#homes.push({
      service: of === "api" ? undefined : of.service,
      kind: "object",
      path,
      inside,
      lastEnd: last?.getEnd() ?? inside.start,
      hasTrailingComma: last?.getNextSibling()?.getText() === ",",
      names,
      isOpen,
    });
  }

  #class(node: ClassDeclaration): void {
    const types = this.#typesOf(node.getSourceFile());
    const of = node.getImplements().map((each) => types.read(each));
    for (const handlers of of) {
      if (handlers === undefined || handlers === "api") continue;
      const path = this.#pathOf(node.getSourceFile());
      const names = new Set<string>();
      for (const member of node.getMembers()) {
        const key = keyOf(member, this.#morph);
        if (key === undefined) continue;
        names.add(key.name);
        const { start, end, isQuoted } = key;
        const at = { path, span: { start, end }, isQuoted, isShorthand: false };
        this.#sites.push({
          ...at,
          kind: "member",
          service: handlers.service,
          method: key.name,
          isHandler: true,
        });
      }
      const open = node.getFirstChildByKind(this.#morph.SyntaxKind.OpenBraceToken);
      const start = open?.getEnd() ?? node.getEnd() - 1;
      const lastEnd = node.getMembers().at(-1)?.getEnd() ?? start;
      this.#homes.push({
        service: handlers.service,
        kind: "class",
        path,
        inside: { start, end: node.getEnd() - 1 },
        lastEnd,
        hasTrailingComma: false,
        names,
        isOpen: node.getExtends() !== undefined,
      });
    }
  }

  /** What stands for the handlers of a service: an object elsewhere, a module, what a function gives back, or that in a wrapper. */
  #follow(value: MorphNode | undefined, service: string, depth = 0): void {
    const { Node } = this.#morph;
    if (value === undefined || depth > 20) return;
    if (Node.isIdentifier(value)) this.#followName(value, service, depth);
    else if (Node.isObjectLiteralExpression(value)) this.#gather(value, { service });
    else if (Node.isCallExpression(value)) {
      this.#follow(value.getExpression(), service, depth + 1);
      for (const argument of value.getArguments())
        if (Node.isIdentifier(argument)) this.#follow(argument, service, depth + 1);
    } else if (
      Node.isParenthesizedExpression(value) ||
      Node.isAsExpression(value) ||
      Node.isSatisfiesExpression(value) ||
      Node.isAwaitExpression(value)
    )
      this.#follow(value.getExpression(), service, depth + 1);
    else if (
      Node.isFunctionDeclaration(value) ||
      Node.isArrowFunction(value) ||
      Node.isFunctionExpression(value)
    ) {
      const body = value.getBody();
      if (body !== undefined && !Node.isBlock(body)) this.#follow(body, service, depth + 1);
      else for (const returned of returnsOf(body, this.#morph)) this.#follow(returned, service, depth + 1);
    }
  }

  #followName(name: MorphNode, service: string, depth: number): void {
    const found = this.#find(name.getText(), name.getSourceFile());
    if (found === undefined) return;
    if (this.#morph.Node.isSourceFile(found)) this.#module(found, service);
    else this.#follow(found, service, depth + 1);
  }

  /** What a name stands for, in this file or in one that it is imported from; a file: its namespace. */
  #find(name: string, source: SourceFile, depth = 0): MorphNode | undefined {
    const { SyntaxKind } = this.#morph;
    if (depth > 20) return undefined;
    const variable = source.getVariableDeclaration(name);
    if (variable !== undefined) return variable.getInitializer();
    const declared = source.getFunction(name);
    if (declared !== undefined) return declared;
    for (const declaration of source.getImportDeclarations()) {
      const module = this.#module$(source, declaration.getModuleSpecifierValue());
      if (declaration.getNamespaceImport()?.getText() === name) return module;
      const named = declaration
        .getNamedImports()
        .find((each) => (each.getAliasNode()?.getText() ?? each.getName()) === name);
      if (named !== undefined) return module && this.#find(named.getName(), module, depth + 1);
    }
    for (const declaration of source.getExportDeclarations()) {
      const named = declaration
        .getNamedExports()
        .find((each) => (each.getAliasNode()?.getText() ?? each.getName()) === name);
      const specifier = declaration.getModuleSpecifierValue();
      const module = specifier === undefined ? source : this.#module$(source, specifier);
      if (named !== undefined && module !== undefined) return this.#find(named.getName(), module, depth + 1);
    }
    // Inside of a function, as where ports are bound.
    return source
      .getDescendantsOfKind(SyntaxKind.VariableDeclaration)
      .find((each) => each.getName() === name)
      ?.getInitializer();
  }

  #module$(from: SourceFile, specifier: string): SourceFile | undefined {
    const path = resolveImport(this.#pathOf(from), specifier, (each) => this.#sources.has(each));
    return path === undefined ? undefined : this.#sources.get(path);
  }

  /** `import * as marketplace from "./marketplace.ts"`: each export of a method's name is its handler. */
  #module(source: SourceFile, service: string): void {
    if (this.#seen.has(source)) return;
    this.#seen.add(source);
    const path = this.#pathOf(source);
    const names = new Set<string>();
    let isOpen = false;
    for (const declaration of source.getExportDeclarations()) {
      if (declaration.isNamespaceExport()) isOpen = true;
      for (const named of declaration.getNamedExports()) {
        const node = named.getAliasNode() ?? named.getNameNode();
        names.add(node.getText());
        const at = {
          path,
          span: spanOf(node),
          isQuoted: false,
          isShorthand: named.getAliasNode() === undefined,
        };
        this.#sites.push({ ...at, kind: "export", service, method: node.getText(), isHandler: false });
      }
    }
    for (const [name, declarations] of source.getExportedDeclarations()) {
      const declaration = declarations[0];
      if (names.has(name) || declaration === undefined || declaration.getSourceFile() !== source) continue;
      names.add(name);
      const key = keyOf(declaration, this.#morph);
      if (key === undefined) continue;
      const at = { path, span: { start: key.start, end: key.end }, isQuoted: false, isShorthand: false };
      this.#sites.push({ ...at, kind: "export", service, method: name, isHandler: true });
    }
    const end = source.getEnd();
    this.#homes.push({
      service,
      kind: "module",
      path,
      inside: { start: 0, end },
      lastEnd: end,
      hasTrailingComma: false,
      names,
      isOpen,
    });
  }

  /** Names in an object that is spread; undefined: they cannot be seen from here. */
  #namesOf(value: MorphNode, depth = 0): Set<string> | undefined {
    const { Node } = this.#morph;
    if (depth > 20) return undefined;
    if (Node.isIdentifier(value)) {
      const found = this.#find(value.getText(), value.getSourceFile());
      if (found === undefined || Node.isSourceFile(found)) return undefined;
      return this.#namesOf(found, depth + 1);
    }
    if (!Node.isObjectLiteralExpression(value)) return undefined;
    const names = new Set<string>();
    for (const property of value.getProperties()) {
      const inner = Node.isSpreadAssignment(property)
        ? this.#namesOf(property.getExpression(), depth + 1)
        : keyOf(property, this.#morph)?.name;
      if (inner === undefined) return undefined;
      for (const name of typeof inner === "string" ? [inner] : inner) names.add(name);
    }
    return names;
  }

  #shorthandOf(node: MorphNode): void {
    const { Node } = this.#morph;
    // createServer(handlers): the object stands elsewhere.
    const parent = node.getParent();
    if (!Node.isCallExpression(parent) || parent.getArguments()[0] !== node) return;
    const types = this.#typesOf(node.getSourceFile());
    if (!types.isServer(parent.getExpression())) return;
    const found = this.#find(node.getText(), node.getSourceFile());
    if (Node.isObjectLiteralExpression(found)) this.#gather(found, "api");
  }

  #typesOf(source: SourceFile): HandlerTypes {
    return this.#types.get(source) as HandlerTypes;
  }

  #pathOf(source: SourceFile): string {
    return this.#paths.get(source) as string;
  }
}

interface ParseFault {
  readonly start: number;
  readonly length: number;
  readonly messageText: string | { readonly messageText: string };
}

function spanOf(node: MorphNode): { start: number; end: number } {
  return { start: node.getStart(), end: node.getEnd() };
}

function insideQuotes(literal: MorphNode): { start: number; end: number } {
  return { start: literal.getStart() + 1, end: literal.getEnd() - 1 };
}

function returnsOf(body: MorphNode | undefined, { Node }: Morph): MorphNode[] {
  if (!Node.isBlock(body)) return [];
  return body
    .getStatements()
    .flatMap((statement) => (Node.isReturnStatement(statement) ? (statement.getExpression() ?? []) : []));
}

/** Whether an identifier is a use of an imported name, and not a key, a member or a declaration of its own. */
function isUse(node: MorphNode, parent: MorphNode | undefined, { Node }: Morph): boolean {
  if (parent === undefined) return false;
  if (Node.isTypeReference(parent) || Node.isExpressionWithTypeArguments(parent) || Node.isTypeQuery(parent))
    return true;
  return Node.isExportSpecifier(parent) && parent.getNameNode() === node;
}

/** The declared type of something exported, or what an exported function gives back. */
function isHandler(type: MorphNode, { Node }: Morph): boolean {
  let at = type.getParent();
  while (at !== undefined && Node.isTypeNode(at)) at = at.getParent();
  if (Node.isVariableDeclaration(at)) return at.isExported();
  if (Node.isFunctionDeclaration(at)) return at.isExported();
  if (Node.isArrowFunction(at)) {
    const holder = at.getParent();
    return Node.isVariableDeclaration(holder) && holder.isExported();
  }
  return false;
}
