import type { IncomingMessage, ServerResponse } from "node:http";
import type { HostInfo } from "../../explorer/page/call/host-info.ts";
import { pageTexts } from "../../explorer/page-texts.ts";
import { type FileResponse, filesByPath, redirectTo } from "../../runtime/src/explorer.ts";

/** A contract for the explorer. */
export interface ExplorerContract {
  /** The IR. */
  readonly irText: string;
  readonly hostInfo: () => HostInfo;
  /** Example calls as JSON. */
  readonly examplesText: () => string;
  /** Paths that methods serve by GET: `/rpc/pets/{id}`. */
  readonly getPaths: readonly string[];
}

export interface ExplorerSiteOptions {
  /** Whether `/` may redirect to the page. The listener of a project may serve `/` itself. */
  readonly ownsRoot: boolean;
}

const problemsName = "problems";

/** Serves the explorer in a folder that no method uses. */
export class ExplorerSite {
  /** The path of the page that people type: `/`, if it redirects, or `/explorer/`. */
  readonly path: string;
  /** Where the page is notified of problems. */
  readonly problemsPath: string;
  readonly #files: ReturnType<typeof filesByPath>;

  constructor(
    { irText, hostInfo, examplesText, getPaths }: ExplorerContract,
    { ownsRoot }: ExplorerSiteOptions,
  ) {
    const folder = freeFolder(getPaths);
    const servers = ["../".repeat(folder.split("/").length - 2)];
    this.#files = filesByPath(folder, {
      ...pageTexts(),
      "schema.json": irText,
      "examples.json": examplesText,
      "host.json": () => JSON.stringify({ ...hostInfo(), servers, problems: problemsName }),
    });
    this.problemsPath = `${folder}${problemsName}`;
    if (isGetPath(folder.slice(0, -1), getPaths)) this.#files.delete(folder.slice(0, -1));
    const redirectsRoot = ownsRoot && !isGetPath("/", getPaths);
    if (redirectsRoot) this.#files.set("/", redirectTo(folder.slice(1)));
    this.path = redirectsRoot ? "/" : folder;
  }

  /** Returns whether the path belongs to the page. Then it responds. */
  serve({ method, url = "/", headers }: IncomingMessage, res: ServerResponse): boolean {
    if (method !== "GET" && method !== "HEAD") return false;
    const [path = ""] = url.split("?", 1);
    const response = this.#files.get(path)?.respond((name) => headers[name]?.toString());
    void response?.then((found) => send(found, res));
    return response !== undefined;
  }
}

function send({ status, headers, body }: FileResponse, res: ServerResponse): void {
  for (const [name, value] of Object.entries(headers))
    if (name === "Vary") res.appendHeader(name, value);
    else res.setHeader(name, value);
  // Node omits the body of a response to HEAD.
  res.writeHead(status).end(body);
}

/** `/explorer/`, or `/-/explorer/` and so on if a method may serve files of that folder. */
export function freeFolder(getPaths: readonly string[]): string {
  let folder = "/explorer/";
  while (isGetPath(folder, getPaths) || isGetPath(`${folder}{file}`, getPaths)) folder = `/-${folder}`;
  return folder;
}

/** Whether a method may serve the path. A parameter matches any segment. Slashes at the end do not count, because servers may ignore them. */
export function isGetPath(path: string, getPaths: readonly string[]): boolean {
  const segments = segmentsOf(path);
  return getPaths.some((template) => {
    const own = segmentsOf(template);
    return own.length === segments.length && own.every((segment, index) => matches(segment, segments[index]));
  });
}

function matches(template: string, segment = ""): boolean {
  return template.startsWith("{") || segment.startsWith("{") || template === segment;
}

function segmentsOf(path: string): readonly string[] {
  return path.split("/").filter((segment) => segment !== "");
}
