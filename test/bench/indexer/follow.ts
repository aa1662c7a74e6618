import type { Database } from "../../../server/base/storage/database.ts";
import type { Deriver } from "../../../server/chain/follower/derive/deriver.ts";
import type { FollowerEvents } from "../../../server/chain/follower/follower-state.ts";
import { openFollowers } from "../../../server/chain/follower/open-followers.ts";
import type { Network } from "../../../server/chain/networks/network.ts";

const quiet = {
  followStarted: () => {},
  followEnded: () => {},
  headSeen: () => {},
  advanced: () => {},
  reorganized: () => {},
  rewound: () => {},
  skipped: (_: string, { reason }: { readonly reason: unknown }) => console.error(reason),
  nodeDemoted: () => {},
  failed: (_: string, cause: unknown) => console.error(cause),
  stopped: (_: string, reason: string) => console.error(reason),
} satisfies FollowerEvents;

export interface Running extends AsyncDisposable {
  reached(block: number): Promise<void>;
}

export interface FollowOptions {
  readonly network: Network;
  readonly derivers: readonly Deriver[];
  readonly on?: Partial<FollowerEvents>;
}

export function follow(database: Database, { network, derivers, on = {} }: FollowOptions): Running {
  let at = -1;
  let wake = (): void => {};
  const followers = openFollowers({
    database,
    hasSessions: true,
    networks: [network],
    derivers,
    events: {
      ...quiet,
      ...on,
      advanced(name, advanced) {
        at = advanced.block;
        on.advanced?.(name, advanced);
        wake();
      },
    },
  });
  return {
    async reached(block) {
      while (at < block)
        await new Promise<void>((done) => {
          wake = done;
        });
    },
    [Symbol.asyncDispose]: () => followers[Symbol.asyncDispose](),
  };
}
