// Long-lived connections (event streams, websockets) are authenticated once, when they begin, so we watch their callers:
// connections of a revoked key, an ended session or an ended membership are closed within a second, in every process. The
// database is the truth and is queried twice a second while there is anything to watch; news of a change, from this
// process or over the bus, only brings the next query forward.
import type { Background } from "../../foundation/background.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Queryable } from "../../foundation/database/database.ts";
import type { Principal } from "./principal.ts";
import { liveAt } from "./signing-in/sign-in.ts";
import { findLost } from "./watch-store.ts";

export interface CallerWatch {
  // Calls back once when this caller's credential stops being valid. Returns a function that ends the watch.
  watch(principal: Principal, lost: () => void): () => void;
  // Something changed that may affect a caller: look now.
  changed(): void;
  // Checks everything that is watched, once.
  look(): Promise<void>;
  run(background: Background, signal: AbortSignal): Promise<void>;
}

interface Watched {
  readonly principal: Principal;
  readonly lost: Set<() => void>;
}

const everyMs = 500;
const askedMax = 1_000;
const workName = "identity: end what lost credentials hold open";

export function createCallerWatch({ db, clock }: { readonly db: Queryable; readonly clock: Clock }): CallerWatch {
  // By credential, so a caller with many streams is checked once.
  const watched = new Map<string, Watched>();
  let wake: () => void = () => undefined;

  async function look(): Promise<void> {
    const all = [...watched];
    for (let at = 0; at < all.length; at += askedMax) {
      const some = all.slice(at, at + askedMax);
      const asked = some.map(([, { principal }]) => principal);
      for (const position of await findLost(db, asked, liveAt(clock.now()))) {
        const [name, found] = some[position] ?? [];
        if (name === undefined || found === undefined || watched.get(name) !== found) continue;
        watched.delete(name);
        for (const lost of found.lost) lost();
      }
    }
  }

  return {
    look,
    changed: () => wake(),
    watch(principal, lost) {
      const name = nameOf(principal);
      const found = watched.get(name) ?? { principal, lost: new Set() };
      watched.set(name, found);
      // A new function each time: a callback passed twice must be called twice.
      const own = () => lost();
      found.lost.add(own);
      return () => {
        found.lost.delete(own);
        if (found.lost.size === 0 && watched.get(name) === found) watched.delete(name);
      };
    },
    async run(background, signal) {
      wake = () => background.wake(workName);
      await background.run({ name: workName, everyMs, begins: "after_pause", round: look }, signal);
    },
  };
}

function nameOf(principal: Principal): string {
  if (principal.kind === "key") return principal.keyId;
  return `${principal.workspaceId} ${principal.personId} ${principal.sessionId ?? ""}`;
}
