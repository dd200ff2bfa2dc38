// What processes remember of the database for some seconds: limits, rights, keys. Who changes it forgets it at once, tells the
// others over the bus, and answers when they have had a moment to hear of it: the next request finds the change whichever
// process it reaches. The bus may lose the news; what is remembered grows old all the same.
import { systemClock } from "../clock.ts";
import type { Bus } from "./bus.ts";

// This process has forgotten when it returns, the others when it resolves.
export type Forget = (key: string) => Promise<void>;

export interface Forgetting {
  // What is remembered under a name; returns what makes every process forget one key of it.
  share(name: string, forget: (key: string) => void): Forget;
}

// Where there are no others, or none that remember.
export const forgettingAlone: Forgetting = {
  share: (_name, forget) => async (key) => forget(key),
};

const topic = "forgotten";
// Several times what a bus needs for a message. Real time, whichever clock a test moves.
const heardAfterMs = 20;

// After something was published: a moment for the others to hear of it, and to do what they do then.
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
