import type { IncomingMessage, ServerResponse } from "node:http";
import { assetHeaders } from "../../explorer/asset-headers.ts";
import { type Asset, Assets } from "../../explorer/assets.ts";
import type { HostInfo } from "../../explorer/page/call/host-info.ts";
import { pageFolder } from "../../explorer/page-folder.ts";
import { freeFolder, isGetPath } from "./free-folder.ts";

/** A contract for the explorer. */
export interface ExplorerContract {
  /** The IR. */
  readonly irText: string;
  readonly hostInfo: () => HostInfo;
  /** Paths that methods serve by GET: `/rpc/pets/{id}`. */
  readonly getPaths: readonly string[];
}

export interface ExplorerSiteOptions {
  /** Whether `/` may redirect to the page. The listener of a project may serve `/` itself. */
  readonly ownsRoot: boolean;
}

/** Serves the explorer in a folder that no method uses. */
export class ExplorerSite {
  /** `/explorer/` */
  readonly folder: string;
  readonly #assets: Assets;
  readonly #redirects: ReadonlySet<string>;

  constructor({ irText, hostInfo, getPaths }: ExplorerContract, { ownsRoot }: ExplorerSiteOptions) {
    this.folder = freeFolder(getPaths);
    const redirects = [this.folder.slice(0, -1), ...(ownsRoot ? ["/"] : [])];
    this.#redirects = new Set(redirects.filter((path) => !isGetPath(path, getPaths)));
    const servers = ["../".repeat(this.folder.split("/").length - 2)];
    this.#assets = new Assets({
      folder: pageFolder(),
      documents: {
        "schema.json": () => irText,
        "host.json": () => JSON.stringify({ ...hostInfo(), servers }),
      },
    });
  }

  /** The path of the page that people type: `/`, if it redirects. */
  get path(): string {
    return this.#redirects.has("/") ? "/" : this.folder;
  }

  /** Returns whether the path belongs to the page. Then it responds. */
  serve({ method, url = "/", headers }: IncomingMessage, res: ServerResponse): boolean {
    if (method !== "GET" && method !== "HEAD") return false;
    const [path = ""] = url.split("?", 1);
    if (this.#redirects.has(path)) {
      // Relative, because a proxy may add a prefix to the path.
      const depth = path.split("/").length - 2;
      const location = `${"../".repeat(depth)}${this.folder.slice(1)}`;
      res.writeHead(302, { Location: location, "Content-Length": 0 }).end();
      return true;
    }
    if (!path.startsWith(this.folder)) return false;
    const name = path.slice(this.folder.length);
    const found = name.includes("/") ? undefined : this.#assets.find(name);
    if (found === undefined) return false;
    void found.then((asset) => {
      if (asset === undefined) res.writeHead(404, { "Content-Length": 0 }).end();
      else send(asset, { method, headers }, res);
    });
    return true;
  }
}

function send(
  asset: Asset,
  { method, headers }: Pick<IncomingMessage, "method" | "headers">,
  res: ServerResponse,
): void {
  for (const [name, value] of Object.entries(assetHeaders(asset)))
    if (name === "Vary") res.appendHeader(name, value);
    else res.setHeader(name, value);
  if (headers["if-none-match"]?.includes(asset.etag) === true) {
    res.writeHead(304).end();
    return;
  }
  const isPacked = asset.gzipped !== undefined && /\bgzip\b/.test(headers["accept-encoding"] ?? "");
  const body = (isPacked ? asset.gzipped : undefined) ?? asset.body;
  if (isPacked) res.setHeader("Content-Encoding", "gzip");
  res.writeHead(200, { "Content-Type": asset.type, "Content-Length": body.length });
  res.end(method === "HEAD" ? undefined : body);
}
