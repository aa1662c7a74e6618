import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** A file of the page, as it is served. */
export interface Asset {
  readonly type: string;
  readonly body: Buffer;
  /** Undefined if gzip does not make the file smaller. */
  readonly gzipped: Buffer | undefined;
  /** Weak, because the compressed and the plain file share it. */
  readonly etag: string;
  /** Whether the file name contains a hash of the content. */
  readonly isImmutable: boolean;
}

export interface AssetSources {
  /** The output folder of the build of `page/`. */
  readonly folder: string;
  /** Served as JSON at `/host.json`. */
  readonly hostInfo: unknown;
}

/** The files of the page. Each is read and compressed on its first request, so that the host starts without that work. */
export class Assets {
  readonly #sources: AssetSources;
  readonly #loaded = new Map<string, Promise<Asset | undefined>>();

  constructor(sources: AssetSources) {
    this.#sources = sources;
  }

  /** Returns undefined if no file has this path. */
  find(path: string): Promise<Asset | undefined> | undefined {
    const file = fileAt(path);
    if (file === undefined) return undefined;
    let asset = this.#loaded.get(path);
    if (asset === undefined) {
      asset = path === hostInfoPath ? this.#hostInfo() : this.#read(file);
      this.#loaded.set(path, asset);
      // Unknown names are not cached: requests could fill the map with them.
      void asset.then((found) => found === undefined && this.#loaded.delete(path));
    }
    return asset;
  }

  async #read(file: string): Promise<Asset | undefined> {
    try {
      return await assetOf(file, await readFile(join(this.#sources.folder, file)));
    } catch {
      return undefined;
    }
  }

  #hostInfo(): Promise<Asset> {
    return assetOf("host.json", Buffer.from(JSON.stringify(this.#sources.hostInfo)));
  }
}

const hostInfoPath = "/host.json";

const fixedPaths: Readonly<Record<string, string>> = {
  "/": "index.html",
  "/schema.json": "schema.json",
  "/openapi.json": "openapi.json",
  [hostInfoPath]: "host.json",
};

/** Paths outside `/explorer/`. Files of the build are served below `/explorer/`. */
export const assetPaths: readonly string[] = Object.keys(fixedPaths);

/** Scripts and styles keep the names from the build, which contain a hash of their content. */
function fileAt(path: string): string | undefined {
  const fixed = fixedPaths[path];
  if (fixed !== undefined) return fixed;
  return /^\/explorer\/[\w-]{1,64}[.](?:js|css|svg|txt)$/.test(path) ? basename(path) : undefined;
}

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  json: "application/json",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
};

async function assetOf(file: string, body: Buffer): Promise<Asset> {
  const packed = await promisify(gzip)(body, { level: 9 });
  return {
    type: types[file.split(".").at(-1) ?? ""] ?? "application/octet-stream",
    body,
    gzipped: packed.length < body.length ? packed : undefined,
    etag: `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
    isImmutable: /-[A-Z0-9]{8}[.](?:js|css)$/.test(file),
  };
}
