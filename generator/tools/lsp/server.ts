/** The language server, over standard input and output. */
import {
  CodeActionKind,
  type Connection,
  createConnection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  ProposedFeatures,
  ResponseError,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import { editorDiagnostic, Features, RequestRejected } from "./features.ts";
import type { LanguageServerHost } from "./language-server-host.ts";
import { pathOf, uriOf } from "./positions.ts";
import { Workspace } from "./workspace.ts";

/** Debounce in milliseconds before a schema is checked: about the pause between two words. */
const debounceMs = 120;

/** Serves until the editor sends `exit`. */
export function serve(host: LanguageServerHost, version: string): Promise<void> {
  // Standard output carries the protocol, so nothing else may be written to it.
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  const server = new Server(connection, host, version);
  server.listen();
  return new Promise((done) => connection.onExit(() => done()));
}

class Server {
  readonly #connection: Connection;
  readonly #workspace: Workspace;
  readonly #features: Features;
  readonly #documents = new TextDocuments(TextDocument);
  readonly #version: string;
  /** The last published diagnostics of each file. */
  readonly #published = new Map<string, readonly Diagnostic[]>();
  #supportsAnnotations = false;
  #watchesFiles = false;
  #supportsSnippets = false;
  #timer: NodeJS.Timeout | undefined;
  /** Whether anything changed since the last check. */
  #isDirty = false;

  constructor(connection: Connection, host: LanguageServerHost, version: string) {
    this.#connection = connection;
    this.#workspace = new Workspace(host);
    this.#features = new Features(this.#workspace);
    this.#version = version;
  }

  listen(): void {
    this.#connection.onInitialize((params) => this.#initialize(params));
    this.#connection.onInitialized(() => this.#watch());
    this.#documents.onDidChangeContent(({ document }) => this.#update(document));
    this.#documents.onDidSave(() => this.#invalidate());
    this.#documents.onDidClose(({ document }) => this.#close(document));
    this.#connection.onDidChangeWatchedFiles(() => this.#invalidate());
    this.#registerRequests();
    this.#documents.listen(this.#connection);
    this.#connection.listen();
  }

  #initialize({ capabilities }: InitializeParams): InitializeResult {
    this.#supportsAnnotations =
      capabilities.workspace?.workspaceEdit?.changeAnnotationSupport !== undefined &&
      capabilities.workspace.workspaceEdit.documentChanges === true;
    this.#watchesFiles = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    this.#supportsSnippets = capabilities.textDocument?.completion?.completionItem?.snippetSupport === true;
    return {
      serverInfo: { name: "ridlkit", version: this.#version },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        hoverProvider: true,
        definitionProvider: true,
        implementationProvider: true,
        referencesProvider: true,
        documentHighlightProvider: true,
        renameProvider: { prepareProvider: true },
        completionProvider: { triggerCharacters: [":", "<", "]", "(", "|", "@", "+", "=", "/", " "] },
        documentFormattingProvider: true,
        documentSymbolProvider: true,
        workspaceSymbolProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.SourceFixAll] },
      },
    };
  }

  /** Watches imported files and the configuration, which can change outside the editor. */
  #watch(): void {
    if (!this.#watchesFiles) return;
    void this.#connection.client.register(DidChangeWatchedFilesNotification.type, {
      watchers: [
        { globPattern: "**/*.{ridl,yaml,yml}" },
        { globPattern: "**/ridlkit.config.*" },
        { globPattern: "**/package.json" },
      ],
    });
  }

  #registerRequests(): void {
    const features = this.#features;
    const forFile = <Params extends { readonly textDocument: { readonly uri: string } }, Result>(
      fallback: Result,
      handle: (path: string, params: Params) => Promise<Result> | Result,
    ) => {
      return async (params: Params): Promise<Result> => {
        const path = pathOf(params.textDocument.uri);
        return path === undefined ? fallback : handle(path, params);
      };
    };
    const connection = this.#connection;
    connection.onHover(
      forFile(null, async (path, { position }) => (await features.hover(path, position)) ?? null),
    );
    connection.onDefinition(
      forFile([], async (path, { position }) => [...(await features.definition(path, position))]),
    );
    connection.onImplementation(
      forFile([], async (path, { position }) => [...(await features.implementation(path, position))]),
    );
    connection.onReferences(
      forFile([], async (path, { position, context }) => [
        ...(await features.references(path, position, context.includeDeclaration)),
      ]),
    );
    connection.onDocumentHighlight(
      forFile([], async (path, { position }) => [...(await features.highlights(path, position))]),
    );
    connection.onPrepareRename(
      forFile(null, async (path, { position }) => (await features.prepareRename(path, position)) ?? null),
    );
    connection.onRenameRequest(
      forFile(null, (path, { position, newName }) =>
        features.rename(path, position, newName, this.#supportsAnnotations).catch(toResponseError),
      ),
    );
    connection.onCompletion(
      forFile(null, (path, { position }) => features.completion(path, position, this.#supportsSnippets)),
    );
    connection.onDocumentFormatting(forFile([], async (path) => [...(await features.format(path))]));
    connection.onDocumentSymbol(forFile([], async (path) => [...(await features.outline(path))]));
    connection.onWorkspaceSymbol(async ({ query }) => [...(await features.symbols(query))]);
    connection.onCodeAction(
      forFile([], async (path, { range }) => {
        // Editors request actions at each move of the cursor, so the check runs only after a change.
        if (this.#isDirty) await this.#checkNow();
        return [...(await features.actions(path, range, this.#published.get(path) ?? []))];
      }),
    );
  }

  #update(document: TextDocument): void {
    const path = pathOf(document.uri);
    if (path === undefined) return;
    this.#workspace.set(path, document.getText());
    this.#checkSoon();
  }

  #close(document: TextDocument): void {
    const path = pathOf(document.uri);
    if (path === undefined) return;
    this.#workspace.close(path);
    this.#checkSoon();
  }

  #invalidate(): void {
    this.#workspace.clearCaches();
    this.#checkSoon();
  }

  #checkSoon(): void {
    this.#isDirty = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#checkNow(), debounceMs);
  }

  /** Checks every schema that an open file belongs to, and publishes changed diagnostics. */
  async #checkNow(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isDirty = false;
    const found = await this.#workspace.checkOpen();
    for (const path of this.#published.keys()) if (!found.has(path)) found.set(path, []);
    for (const [path, diagnostics] of found) {
      if (diagnostics.length === 0 && (this.#published.get(path) ?? []).length === 0) continue;
      if (diagnostics.length === 0) this.#published.delete(path);
      else this.#published.set(path, diagnostics);
      void this.#connection.sendDiagnostics({
        uri: uriOf(path),
        diagnostics: diagnostics.map(editorDiagnostic),
      });
    }
  }
}

function toResponseError(err: unknown): ResponseError<void> {
  if (err instanceof RequestRejected) return new ResponseError(requestFailed, err.message);
  throw err;
}

/** LSPErrorCodes.RequestFailed: the request is valid, but cannot be fulfilled. */
const requestFailed = -32_803;
