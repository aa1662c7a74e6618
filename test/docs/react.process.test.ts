/** Compiles the app of docs/react.md, and uses it in Chromium. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { isInstalled as arePackagesInstalled } from "../apps/stacks.ts";
import { isInstalled as isBrowserInstalled, openPage } from "../browser/browser.ts";
import { tsc } from "../compile/project.ts";
import { blocksOf, root } from "../support/docs.ts";
import { folder, ridlkit } from "../support/program.ts";

interface Photo {
  readonly id: number;
  readonly title: string;
  readonly bytes: number;
}

/** As much of the generated server as the test uses. */
interface Context {
  readonly errors: { NoSuchPhoto(): Error; TitleTaken(): Error };
}

test.runIf(arePackagesInstalled)("the app of docs/react.md works", async () => {
  using project = folder({});
  const app = join(project.path, "app");
  mkdirSync(app);
  symlinkSync(join(root, "node_modules"), join(project.path, "node_modules"));
  symlinkSync(join(root, "test/apps/node_modules"), join(app, "node_modules"));
  for (const { file, text } of blocksOf("docs/react.md"))
    if (file !== undefined) writeFileSync(join(app, file), text);
  writeFileSync(join(app, "tsconfig.json"), readFileSync(join(root, "test/apps/tsconfig.json")));
  writeFileSync(
    join(app, "serve.ts"),
    'export { nodeListener } from "ridlkit-runtime/node";\nexport { createServer } from "./api/server.ts";\n',
  );
  const generated = await ridlkit(
    ["generate", "photos.ridl", "--out", "api", "--target", "client,server", "--adapter", "node"],
    { cwd: app },
  );
  expect(generated).toMatchObject({ code: 0 });
  execFileSync(process.execPath, [tsc, "-p", app], { stdio: ["ignore", "inherit", "inherit"] });
  if (!isBrowserInstalled) return;

  const bundle = async (entry: string, platform: "browser" | "node"): Promise<string> => {
    const outfile = join(app, "dist", `${entry}.mjs`);
    mkdirSync(dirname(outfile), { recursive: true });
    await build({
      absWorkingDir: app,
      entryPoints: [entry],
      outfile,
      bundle: true,
      format: "esm",
      platform,
      jsx: "automatic",
      ...(platform === "node" ? { packages: "external" as const } : {}),
      define: { "process.env.NODE_ENV": '"production"' },
      logLevel: "error",
    });
    return outfile;
  };
  const script = readFileSync(await bundle("main.tsx", "browser"));
  const api = (await import(pathToFileURL(await bundle("serve.ts", "node")).href)) as {
    createServer(handlers: object): object;
    nodeListener(server: object): RequestListener;
  };
  let photo: Photo = { id: 1, title: "Harbor", bytes: 0 };
  const change = (ctx: Context, id: number, changed: Partial<Photo>): object => {
    if (id !== photo.id) return ctx.errors.NoSuchPhoto();
    photo = { ...photo, ...changed };
    return { photo };
  };
  const listener = api.nodeListener(
    api.createServer({
      Photos: {
        Get: (ctx: Context, { id }: { id: number }) => change(ctx, id, {}),
        Rename: (ctx: Context, { id, title }: { id: number; title: string }) =>
          title === "Taken" ? ctx.errors.TitleTaken() : change(ctx, id, { title }),
        Upload: (ctx: Context, { id, image }: { id: number; image: { size: number } }) =>
          change(ctx, id, { bytes: image.size }),
      },
    }),
  );
  const server = createServer((req, res) => {
    if (req.url?.startsWith("/rpc/")) listener(req, res);
    else if (req.url === "/main.js") res.setHeader("content-type", "text/javascript").end(script);
    else
      res
        .setHeader("content-type", "text/html")
        .end('<!doctype html><body></body><script type="module" src="/main.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await using opened = await openPage(`${url}/#1`);
    const { page } = opened;
    const shows = (selector: string, text: string) =>
      expect
        .poll(() => page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent`))
        .toBe(text);
    await shows("h1", "Harbor");
    await shows("#size", "0 bytes");
    await page.setInputFiles("[type=file]", {
      name: "a.png",
      mimeType: "image/png",
      buffer: Buffer.alloc(5000),
    });
    await shows("#size", "5000 bytes");
    expect(await page.evaluate("document.querySelector('progress').value")).toBe(1);
    await page.fill("[name=title]", "Beach");
    await page.click("[type=submit]");
    await shows("h1", "Beach");
    await page.fill("[name=title]", "Taken");
    await page.click("[type=submit]");
    await shows("form [role=alert]", "Another photo has this title.");
    await shows("h1", "Beach");
    const other = await opened.another();
    await other.goto(`${url}/#2`);
    await expect
      .poll(() => other.evaluate("[...document.querySelectorAll('p')].map((p) => p.textContent).join()"))
      .toBe("This cannot be shown.,This photo is gone.");
  } finally {
    server.close();
  }
});
