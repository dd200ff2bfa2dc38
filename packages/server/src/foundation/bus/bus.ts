// Wake-ups, live events and cache drops between processes. Correctness never depends on it: a message may be late or
// lost, and everything that waits also polls. Messages are small JSON values.
export interface Bus {
  // A topic is a name, or a name and a share of it ("jobs.changed/a7").
  publish(topic: string, message: unknown): void;
  // Returns the function that ends the subscription. All shares of a name: "jobs.changed/*".
  subscribe(topic: string, receive: (message: unknown) => void): () => void;
  // False: there are no others, and nothing need be told.
  readonly reachesOthers: boolean;
  // What keeps messages from other processes away right now; null: they come.
  problem(): string | null;
  close(): Promise<void>;
}

export interface TopicInterest {
  // Of the first subscription to a topic, and of the last one that ended.
  begins(topic: string): void;
  ends(topic: string): void;
}

export function createTopics(interest?: TopicInterest) {
  const receivers = new Map<string, Set<(message: unknown) => void>>();
  const tell = (topic: string, message: unknown) => {
    for (const receive of receivers.get(topic) ?? []) receive(message);
  };
  return {
    // To those who subscribed to exactly this.
    tell,
    deliver(topic: string, message: unknown): void {
      tell(topic, message);
      const name = nameOf(topic);
      if (name !== topic) tell(`${name}/*`, message);
    },
    subscribe(topic: string, receive: (message: unknown) => void): () => void {
      const set = receivers.get(topic) ?? new Set();
      const isFirst = set.size === 0;
      receivers.set(topic, set.add(receive));
      if (isFirst) interest?.begins(topic);
      return () => {
        if (!set.delete(receive) || set.size > 0) return;
        receivers.delete(topic);
        interest?.ends(topic);
      };
    },
    list: () => [...receivers.keys()],
  };
}

// Without the share.
export function nameOf(topic: string): string {
  const cut = topic.indexOf("/");
  return cut === -1 ? topic : topic.slice(0, cut);
}

export function inProcessBus(): Bus {
  const topics = createTopics();
  return {
    // Asynchronous like every other bus, so that no code comes to depend on the order.
    publish: (topic, message) => void setImmediate(() => topics.deliver(topic, message)),
    subscribe: topics.subscribe,
    reachesOthers: false,
    problem: () => null,
    close: async () => undefined,
  };
}
