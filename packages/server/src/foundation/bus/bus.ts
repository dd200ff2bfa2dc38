// Wake-ups, live events and cache drops between processes. Correctness never depends on it: a message may be late or
// lost, and everything that waits also polls. Messages are small JSON values.
export interface Bus {
  publish(topic: string, message: unknown): void;
  // Returns the function that ends the subscription.
  subscribe(topic: string, receive: (message: unknown) => void): () => void;
  close(): Promise<void>;
}

export function createTopics() {
  const receivers = new Map<string, Set<(message: unknown) => void>>();
  return {
    deliver(topic: string, message: unknown): void {
      for (const receive of receivers.get(topic) ?? []) receive(message);
    },
    subscribe(topic: string, receive: (message: unknown) => void): () => void {
      const set = receivers.get(topic) ?? new Set();
      receivers.set(topic, set.add(receive));
      return () => {
        set.delete(receive);
        if (set.size === 0) receivers.delete(topic);
      };
    },
    has: (topic: string) => receivers.has(topic),
  };
}

export function inProcessBus(): Bus {
  const topics = createTopics();
  return {
    // Asynchronous like every other bus, so that no code comes to depend on the order.
    publish: (topic, message) => void setImmediate(() => topics.deliver(topic, message)),
    subscribe: topics.subscribe,
    close: async () => undefined,
  };
}
