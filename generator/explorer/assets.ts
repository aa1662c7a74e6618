import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
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
  /** Texts of files that are not in the folder, by name: `host.json`. Created on their first request. */
  readonly documents: Readonly<Record<string, () => string>>;
}

/** The files of the page. Each is read and compressed on its first request, so that the host starts without that work. */
export class Assets {
  readonly #sources: AssetSources;
  readonly #loaded = new Map<string, Promise<Asset | undefined>>();

  constructor(sources: AssetSources) {
    this.#sources = sources;
  }

  /** Finds a file by its name in the page's folder; "" is the page itself. Returns undefined if there is no such file. */
  find(name: string): Promise<Asset | undefined> | undefined {
    const file = name === "" ? "index.html" : name;
    if (!/^[\w-]{1,64}[.](?:html|js|css|svg|txt|json)$/.test(file)) return undefined;
    let asset = this.#loaded.get(file);
    if (asset === undefined) {
      asset = this.#read(file);
      this.#loaded.set(file, asset);
      // Unknown names are not cached: requests could fill the map with them.
      void asset.then((found) => found === undefined && this.#loaded.delete(file));
    }
    return asset;
  }

  async #read(file: string): Promise<Asset | undefined> {
    const { folder, documents } = this.#sources;
    const textOf = Object.hasOwn(documents, file) ? documents[file] : undefined;
    if (textOf !== undefined) return assetOf(file, Buffer.from(textOf()));
    try {
      return await assetOf(file, await readFile(join(folder, file)));
    } catch {
      return undefined;
    }
  }
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
