import type { Client } from "../../generator/runtime/src/client.ts";
import { result } from "../../generator/runtime/src/client.ts";
import type { RpcError } from "../../generator/runtime/src/errors.ts";
import { type StubRequest, type StubResponse, stubTransport } from "./stub-transport.ts";

/** A client whose server gives these answers in turn, the last for ever; "lost": none comes. */
export function serving(...answers: readonly (StubResponse | "lost")[]): {
  client: Client;
  seen: StubRequest[];
} {
  const seen: StubRequest[] = [];
  const transport = stubTransport(async (request) => {
    const answer = answers[Math.min(seen.length, answers.length - 1)];
    seen.push(request);
    if (answer === undefined || answer === "lost") throw new Error("lost");
    return answer;
  });
  return { client: { url: "https://a.example", transport }, seen };
}

export async function failureOf(answer: Promise<unknown>): Promise<RpcError> {
  const outcome = await result(answer);
  if (outcome.ok) throw new Error("it succeeded");
  return outcome.error;
}

export function never(): Promise<never> {
  return new Promise(() => {});
}
