import { describe, expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { type LoadedContract, loadInMemory } from "../../../../generator/verify/in-memory/load.ts";
import { replay } from "../../../../generator/verify/replay/replay.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import type { Verdict } from "./changes/change.ts";
import { changes } from "./changes/index.ts";

const loaded = new Map<string, Promise<LoadedContract>>();

/** Cached, because many changes share a version. */
function live(text: string): Promise<LoadedContract> {
  const known = loaded.get(text);
  if (known !== undefined) return known;
  const { result } = compile("api.ridl", memoryReader({ "api.ridl": text }));
  if (result === undefined) throw new Error("the table holds a contract with a fault");
  const fresh = loadInMemory({ model: result.model, ir: result.ir });
  loaded.set(text, fresh);
  return fresh;
}

async function verdict(
  callers: string,
  server: string,
): Promise<{ readonly verdict: Verdict; readonly words: readonly string[] }> {
  const mishaps = await replay(await live(callers), await live(server), { seed: 1, count: 40 });
  const words = mishaps.map((one) => `${one.verdict}: ${one.where}: ${one.message}`);
  if (mishaps.some((one) => one.verdict === "breaks")) return { verdict: "breaks", words };
  return { verdict: mishaps.length > 0 ? "differs" : "same", words };
}

describe("generated clients of one version call generated servers of the other", () => {
  test.each(changes)("$name", async ({ before, now, servers, callers }) => {
    const old = await verdict(before, now);
    expect(old, "old callers, new server").toMatchObject({ verdict: servers });
    const fresh = await verdict(now, before);
    expect(fresh, "new callers, old server").toMatchObject({ verdict: callers });
  });
});
