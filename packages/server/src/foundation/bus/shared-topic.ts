// News about a few out of very many things (jobs that changed, calls that ended). Ids are distributed over shares, and a
// process only listens to the shares in which it waits for something. A process that waits for nothing is never woken.
import { newId } from "../ids.ts";
import { type Bus, createTopics } from "./bus.ts";

export interface SharedTopic {
  // Reaches all other processes, but not the publisher, which already knows.
  publish(ids: readonly string[]): void;
  // Receives news of this id until the returned function is called. News of other ids may arrive too.
  attend(id: string): () => void;
  attendAll(): () => void;
}

// Well below the message size limit of any bus.
const idsPerMessage = 100;

export function sharedTopic(bus: Bus, name: string, receive: (ids: readonly string[]) => void): SharedTopic {
  const self = newId();
  const leaveOf = new Map<string, () => void>();
  const take = (message: unknown) => {
    const ids = idsOf(message, self);
    if (ids.length > 0) receive(ids);
  };
  const interest = createTopics({
    begins: (topic) => void leaveOf.set(topic, bus.subscribe(topic, take)),
    ends(topic) {
      leaveOf.get(topic)?.();
      leaveOf.delete(topic);
    },
  });
  const attendTo = (topic: string) => interest.subscribe(topic, () => {});
  return {
    publish(ids) {
      const [only] = ids;
      // The common case: once per call.
      if (only !== undefined && ids.length === 1)
        return bus.publish(`${name}/${shareOf(only)}`, { from: self, entries: ids });
      for (const [share, some] of Map.groupBy(ids, shareOf)) {
        for (let at = 0; at < some.length; at += idsPerMessage)
          bus.publish(`${name}/${share}`, { from: self, entries: some.slice(at, at + idsPerMessage) });
      }
    },
    attend: (id) => attendTo(`${name}/${shareOf(id)}`),
    attendAll: () => attendTo(`${name}/*`),
  };
}

// One of 256 shares. The last characters of our ids are random.
export function shareOf(id: string): string {
  const end = id.slice(-2).toLowerCase();
  return /^[\da-f]{2}$/.test(end) ? end : "00";
}

// Parse defensively: another process may run a different version.
function idsOf(message: unknown, self: string): readonly string[] {
  if (typeof message !== "object" || message === null || !("entries" in message) || !("from" in message)) return [];
  if (message.from === self || !Array.isArray(message.entries)) return [];
  return message.entries.filter((entry: unknown) => typeof entry === "string");
}
