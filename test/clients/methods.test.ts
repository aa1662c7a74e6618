/** Which methods of this host the official clients have. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { withGenerated } from "../support/docs.ts";
import { type ClientClass, isInstalled, loadClient } from "./official.ts";

interface Webrpc {
  readonly services: readonly {
    readonly name: string;
    readonly methods: readonly { readonly name: string }[];
  }[];
}

const contract = JSON.parse(
  readFileSync(fileURLToPath(new URL("../../generated/schema.webrpc.json", import.meta.url)), "utf8"),
) as Webrpc;
const health = ["Ping", "Version"];
/** From the oldest to the newest, as `package.json` lists them. */
const clients = isInstalled
  ? readdirSync(new URL("node_modules/", import.meta.url)).filter((name) => /^[a-z]+-[0-9.]+$/.test(name))
  : [];

// After a change to the contract: npx vitest run test/clients/methods.test.ts --update
test.runIf(isInstalled)("docs/platform/running.md lists the methods of each official client", async () => {
  const parts: string[] = [];
  for (const { name: service, methods } of contract.services) {
    const versions = clients
      .filter((client) => client.startsWith(`${service.toLowerCase()}-`))
      .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    const found = await Promise.all(versions.map((client) => methodsOf(client, service)));
    parts.push(
      `| ${service} | ${versions.map((client) => client.slice(service.length + 1)).join(" | ")} |`,
      `|---|${versions.map(() => ":-:|").join("")}`,
      ...methods
        .filter(({ name }) => !health.includes(name))
        .map(({ name }) => `| ${name} | ${found.map((all) => (all.has(name) ? "✓" : "")).join(" | ")} |`),
      "",
    );
  }
  await expect(withGenerated("docs/platform/running.md", parts.join("\n").trimEnd())).toMatchFileSnapshot(
    "../../docs/platform/running.md",
  );
});

/** With the names of the contract. */
async function methodsOf(client: string, service: string): Promise<ReadonlySet<string>> {
  const Client = (await loadClient(client))[service] as ClientClass;
  const instance = new Client("http://127.0.0.1", () => Promise.reject(new TypeError("not called")));
  const names = [...Object.keys(instance), ...Object.getOwnPropertyNames(Client.prototype)];
  return new Set(names.map((name) => name.slice(0, 1).toUpperCase() + name.slice(1)));
}
