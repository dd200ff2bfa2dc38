// Wake-ups, live events and cache invalidation between processes. Correctness never depends on the bus: messages can be late or
// lost, and everything that waits also polls. Messages are small JSON values.
export interface Bus {
  // A topic is a name, optionally with a share of it ("jobs.changed/a7").
  publish(topic: string, message: unknown): void;
  // Returns a function that ends the subscription. "jobs.changed/*" subscribes to all shares of a name.
  subscribe(topic: string, receive: (message: unknown) => void): () => void;
  // False if there are no other processes, so there is nothing to publish.
  readonly reachesOthers: boolean;
  // Why messages from other processes are not arriving right now. Null if they are.
  problem(): string | null;
  close(): Promise<void>;
}

export interface TopicInterest {
  // Called on the first subscription to a topic, and when the last one has ended.
  begins(topic: string): void;
  ends(topic: string): void;
}

export function createTopics(interest?: TopicInterest) {
  const receivers = new Map<string, Set<(message: unknown) => void>>();
  const dispatch = (topic: string, message: unknown) => {
    for (const receive of receivers.get(topic) ?? []) receive(message);
  };
  return {
    // Delivers to the subscribers of exactly this topic.
    dispatch,
    deliver(topic: string, message: unknown): void {
      dispatch(topic, message);
      const name = nameOf(topic);
      if (name !== topic) dispatch(`${name}/*`, message);
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

// The topic without its share.
export function nameOf(topic: string): string {
  const cut = topic.indexOf("/");
  return cut === -1 ? topic : topic.slice(0, cut);
}

export function inProcessBus(): Bus {
  const topics = createTopics();
  return {
    // Asynchronous like every other bus, so that no code starts to depend on the order.
    publish: (topic, message) => void setImmediate(() => topics.deliver(topic, message)),
    subscribe: topics.subscribe,
    reachesOthers: false,
    problem: () => null,
    close: async () => undefined,
  };
}
