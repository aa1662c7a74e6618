import type { LookupFunction } from "node:net";
import { isIPv6 } from "node:net";
import { Agent, buildConnector } from "undici";
import { OutboundRejection } from "./failure.ts";
import { literalOf, type Policy } from "./policy.ts";
import type { Resolve } from "./resolve.ts";

/** Longest time to connect, TLS included, in milliseconds. */
const connectMaxMs = 5_000;

/** How long an idle connection stays open, in milliseconds. Receivers close theirs after 5 seconds by Node's default. */
const keepAliveMs = 4_000;

/**
 * Connects only to addresses that the policy allows. Resolves a name once per connection, requires all of its addresses to be
 * allowed, and connects to exactly those. A name that resolves differently later (DNS rebinding) gains nothing.
 */
export function guardedAgent(policy: Policy, resolve: Resolve): Agent {
  const dial = buildConnector({
    timeout: connectMaxMs,
    lookup: guardedLookup(policy, resolve),
    allowH2: false,
  });
  return new Agent({
    keepAliveTimeout: keepAliveMs,
    pipelining: 1,
    connect: (target, done) => {
      const literal = literalOf(target.hostname);
      const fault = literal === undefined ? undefined : policy.faultOfAddress(literal);
      if (fault !== undefined) return done(new OutboundRejection(fault), null);
      dial(target, (...[err, socket]) => {
        if (err !== null) return done(err, null);
        // A second check: the connected address must be an allowed one, or nothing is sent.
        const late = policy.faultOfAddress(socket.remoteAddress ?? "");
        if (late === undefined) return done(null, socket);
        socket.destroy();
        done(new OutboundRejection(late), null);
      });
    },
  });
}

function guardedLookup(policy: Policy, resolve: Resolve): LookupFunction {
  return (name, options, done) => {
    resolve(name).then(
      (addresses) => {
        for (const address of addresses) {
          const fault = policy.faultOfAddress(address);
          if (fault !== undefined) return done(new OutboundRejection(`${name}: ${fault}`), []);
        }
        const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
        const [first] = all;
        if (options.all === true || first === undefined) done(null, all);
        else done(null, first.address, first.family);
      },
      (err: NodeJS.ErrnoException) => done(err, []),
    );
  };
}
