import { setPaused } from "../../../webhooks/listeners.ts";
import { type NotificationState, notificationStates } from "../../../webhooks/notifications.ts";
import { type NearMiss, nearMissesOf } from "../../../webhooks/notify/near-miss-counts.ts";
import { type ReplayFilter, replay } from "../../../webhooks/replay.ts";
import {
  type AdminContext,
  AdminFault,
  argument,
  type Command,
  firstOf,
  type Input,
  type Output,
  readProjectFilter,
} from "../command.ts";
import { chainIdNamed } from "../networks.ts";
import { listWebhooks, type PastReading, showPast, showWebhook } from "../webhooks/queries.ts";

export const webhooks: readonly Command[] = [
  {
    name: "webhooks list",
    help: "list listeners, of all projects or of one, with their queued notifications",
    positionals: ["[PROJECT]"],
    run: async ({ database }, { positionals: [project] }) => {
      const queries = await database();
      return { list: await listWebhooks(queries, await readProjectFilter(queries, project)) };
    },
  },
  {
    name: "webhooks show",
    help: "show a listener's newest notifications, their state, and events that can never match",
    positionals: ["LISTENER"],
    options: {
      state: { valueName: notificationStates.join("|"), help: "only notifications in this state" },
      most: { valueName: "N", help: "show at most N (default: 20)" },
    },
    run: async ({ database }, input) => {
      const state = readState(firstOf(input, "state"));
      const limit = numberOf(input, "most") ?? 20;
      if (limit === 0) throw new AdminFault("--most: expected a number from 1, found 0");
      const queries = await database();
      const listener = readListenerId(argument(input, 0));
      const reading = await showPast(queries, listener);
      if (reading === undefined) throw unknownListener(listener);
      const misses = await nearMissesOf(queries, listener);
      const notes = [...pastTexts(reading), ...misses.map(missText)];
      return {
        list: await showWebhook(queries, listener, { state, limit }),
        ...(notes.length === 0 ? {} : { note: notes.join("\n") }),
      };
    },
  },
  {
    name: "webhooks replay",
    help: "resend notifications that failed or were accepted: one, all of a listener, or those of a range of blocks",
    positionals: [],
    options: {
      uid: { valueName: "UID", help: "only this event, to all its listeners unless --listener is given" },
      listener: { valueName: "LISTENER", help: "only those of this listener" },
      network: { valueName: "NETWORK", help: "only those of this network" },
      "from-block": { valueName: "N", help: "from this block on" },
      "to-block": { valueName: "N", help: "up to this block" },
      state: {
        valueName: "failed|all",
        help: "only failed notifications, or accepted ones too (default: failed; with --uid: all)",
      },
    },
    run: async (context, input) => {
      const choice = replayChoice(context, input);
      const queries = await context.database();
      const { listenerId } = choice;
      if (listenerId !== undefined && (await showPast(queries, listenerId)) === undefined)
        throw unknownListener(listenerId);
      const replayed = await replay(queries, choice);
      if (replayed === undefined)
        throw new AdminFault(
          `no event has the uid "${choice.uid?.slice(0, 80)}"; see: platform webhooks show LISTENER`,
        );
      const note = "Nothing was replayed. Notifications that still wait are sent without a replay.";
      return { record: { replayed }, ...(replayed === 0 ? { note } : {}) };
    },
  },
  {
    name: "webhooks pause",
    help: "pause a listener: new events are not stored; past blocks wait",
    positionals: ["LISTENER"],
    run: pause(true),
  },
  {
    name: "webhooks resume",
    help: "resume a paused listener",
    positionals: ["LISTENER"],
    run: pause(false),
  },
];

function pastTexts({ past, isPaused, isWaiting }: PastReading): readonly string[] {
  if (past === null) return [];
  const { fromBlock, nextBlock, toBlock } = past;
  if (isPaused) return [`Reading past blocks is paused at block ${nextBlock} of ${fromBlock} to ${toBlock}.`];
  if (isWaiting) return [`Reading past blocks waits until block ${nextBlock} is followed.`];
  return [`Past blocks are being read, from ${fromBlock} to ${toBlock}; the next one is ${nextBlock}.`];
}

function missText({ event, matchingEvent, logs, blockNumber }: NearMiss): string {
  const missed = `${event} can never match: at least ${logs} logs, the newest in block ${blockNumber}, have other indexed arguments.`;
  return matchingEvent === undefined
    ? `${missed} Register the event with \`indexed\` on the same arguments as the contract.`
    : `${missed} Register this event instead: ${matchingEvent}`;
}

function pause(isPaused: boolean) {
  return async ({ database }: AdminContext, input: Input): Promise<Output> => {
    const listener = readListenerId(argument(input, 0));
    if (!(await setPaused(await database(), listener, isPaused))) throw unknownListener(listener);
    return { record: { listener, active: !isPaused } };
  };
}

function unknownListener(listener: number): AdminFault {
  return new AdminFault(`listener ${listener} does not exist; see: platform webhooks list`);
}

function replayChoice({ config }: AdminContext, input: Input): ReplayFilter {
  const uid = firstOf(input, "uid");
  const listener = firstOf(input, "listener");
  const network = firstOf(input, "network");
  const [fromBlock, toBlock] = [numberOf(input, "from-block"), numberOf(input, "to-block")];
  const state = firstOf(input, "state") ?? (uid === undefined ? "failed" : "all");
  if (state !== "failed" && state !== "all")
    throw new AdminFault(`--state: expected failed or all, found "${state}"`);
  if (uid === undefined && listener === undefined && network === undefined)
    throw new AdminFault("choose what to replay with --uid, --listener or --network");
  if ((fromBlock ?? toBlock) !== undefined && listener === undefined && network === undefined)
    throw new AdminFault("--from-block and --to-block need --network or --listener");
  if (fromBlock !== undefined && toBlock !== undefined && fromBlock > toBlock)
    throw new AdminFault(`--from-block: ${fromBlock} is above --to-block, ${toBlock}`);
  return {
    uid,
    listenerId: listener === undefined ? undefined : readListenerId(listener),
    chainId: network === undefined ? undefined : chainIdNamed(config, network),
    fromBlock,
    toBlock,
    onlyFailed: state === "failed",
  };
}

function readState(text: string | undefined): NotificationState | undefined {
  if (text === undefined) return undefined;
  const state = notificationStates.find((known) => known === text);
  if (state === undefined)
    throw new AdminFault(`--state: expected one of ${notificationStates.join(", ")}, found "${text}"`);
  return state;
}

function readListenerId(text: string): number {
  if (!/^[0-9]{1,10}$/.test(text))
    throw new AdminFault(`invalid listener id "${text}"; see: platform webhooks list`);
  return Number(text);
}

function numberOf(input: Input, option: string): number | undefined {
  const text = firstOf(input, option);
  if (text === undefined) return undefined;
  if (!/^[0-9]{1,15}$/.test(text)) throw new AdminFault(`--${option}: expected a number, found "${text}"`);
  return Number(text);
}
