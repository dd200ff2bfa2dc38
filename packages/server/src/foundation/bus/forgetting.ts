// Cache invalidation between processes. Processes cache limits, rights and keys from the database for a few seconds. A process
// that changes one drops its own copy, tells the others over the bus, and answers after giving them a moment to hear of it. So
// the next request sees the change, whichever process it reaches. If the bus loses the message, the cached entry still expires.
import { systemClock } from "../clock.ts";
import type { Bus } from "./bus.ts";

// When the call returns, this process has forgotten the key; when the promise resolves, the others have too.
export type Forget = (key: string) => Promise<void>;

export interface Forgetting {
  // Registers a cache under a name. Returns a function that makes every process forget one key of it.
  share(name: string, forget: (key: string) => void): Forget;
}

// For a process that is alone, or when no other process caches anything.
export const forgettingAlone: Forgetting = {
  share: (_name, forget) => async (key) => forget(key),
};

const topic = "forgotten";
// Several times what a bus needs to deliver a message. Real time, even if a test moves the clock.
const heardAfterMs = 20;

// Call after publishing: gives other processes a moment to receive the message and act on it.
export async function untilHeard(bus: Pick<Bus, "reachesOthers">, ms = heardAfterMs): Promise<void> {
  if (bus.reachesOthers) await systemClock.sleep(ms);
}

export function forgettingOver(bus: Bus): Forgetting {
  const remembering = new Map<string, (key: string) => void>();
  bus.subscribe(topic, (message) => {
    const [name, key] = Array.isArray(message) ? message : [];
    if (typeof name === "string" && typeof key === "string") remembering.get(name)?.(key);
  });
  return {
    share(name, forget) {
      remembering.set(name, forget);
      return async (key) => {
        forget(key);
        if (!bus.reachesOthers) return;
        bus.publish(topic, [name, key]);
        await untilHeard(bus);
      };
    },
  };
}
