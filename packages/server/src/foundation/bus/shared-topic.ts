// News about some of very many things (jobs that changed, calls that ended). Their ids are dealt out to shares, and a process
// hears of the shares in which it waits for something: one that waits for nothing is not woken at all.
import { newId } from "../ids.ts";
import { type Bus, createTopics } from "./bus.ts";

export interface SharedTopic {
  // To all others; who publishes knows already.
  publish(ids: readonly string[]): void;
  // Until the returned function is called, news of this id are received; those of others may be, too.
  attend(id: string): () => void;
  attendAll(): () => void;
}

// Well below what one message of any bus may hold.
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
      // The usual case, once for every call.
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

// 256 of them. The end of our ids is random.
export function shareOf(id: string): string {
  const end = id.slice(-2).toLowerCase();
  return /^[\da-f]{2}$/.test(end) ? end : "00";
}

// Whatever comes over the bus is read with care: another version may speak differently.
function idsOf(message: unknown, self: string): readonly string[] {
  if (typeof message !== "object" || message === null || !("entries" in message) || !("from" in message)) return [];
  if (message.from === self || !Array.isArray(message.entries)) return [];
  return message.entries.filter((entry: unknown) => typeof entry === "string");
}
