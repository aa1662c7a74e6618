import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** A file of the page, as it is sent. */
export interface Asset {
  readonly type: string;
  readonly body: Buffer;
  /** Undefined where it saves nothing. */
  readonly packed: Buffer | undefined;
  /** Weak, since it is the same packed and plain. */
  readonly etag: string;
  /** Whether another content would have another name. */
  readonly isImmutable: boolean;
}

export interface AssetSources {
  /** What the build has made of `page/`. */
  readonly folder: string;
  /** What the page is told of the host; as JSON at `/host.json`. */
  readonly facts: unknown;
}

/** The page and what it reads. Each file is read and packed when it is first asked for, so that a start pays nothing for it. */
export class Assets {
  readonly #sources: AssetSources;
  readonly #loaded = new Map<string, Promise<Asset | undefined>>();

  constructor(sources: AssetSources) {
    this.#sources = sources;
  }

  /** Undefined: there is none at this path. */
  find(path: string): Promise<Asset | undefined> | undefined {
    const file = fileAt(path);
    if (file === undefined) return undefined;
    let asset = this.#loaded.get(path);
    if (asset === undefined) {
      asset = path === factsPath ? this.#facts() : this.#read(file);
      this.#loaded.set(path, asset);
      // Names that are no file's are not kept.
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

  #facts(): Promise<Asset> {
    return assetOf("host.json", Buffer.from(JSON.stringify(this.#sources.facts)));
  }
}

const factsPath = "/host.json";

const fixedPaths: Readonly<Record<string, string>> = {
  "/": "index.html",
  "/schema.json": "schema.json",
  "/openapi.json": "openapi.json",
  [factsPath]: "host.json",
};

/** Those of documents. Files of the build lie under `/explorer/`. */
export const assetPaths: readonly string[] = Object.keys(fixedPaths);

/** Scripts and styles lie under the names that the build gave them, which say what is in them. */
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
    packed: packed.length < body.length ? packed : undefined,
    etag: `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
    isImmutable: /-[A-Z0-9]{8}[.](?:js|css)$/.test(file),
  };
}
