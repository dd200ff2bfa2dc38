// Batches many callers into one statement: items that arrive while a batch is in flight go together in the next one. When idle
// nothing waits: the first item leaves in the same turn of the event loop, with everything else that arrived in it. A failing
// batch fails only its own items.
export interface GroupCommitOptions<Item, Result> {
  readonly maxBatch: number;
  // How many batches can be in flight at the same time. With one, items take effect in order.
  readonly inFlight: number;
  // One result per item, in the items' order.
  run(items: readonly Item[]): Promise<readonly Result[]>;
}

export interface GroupCommit<Item, Result> {
  (item: Item): Promise<Result>;
  // Accepts no more items, and resolves when all accepted ones are answered.
  close(): Promise<void>;
  // Items waiting for a batch. Overload limits look at this number.
  readonly waiting: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export function groupCommit<Item, Result>(options: GroupCommitOptions<Item, Result>): GroupCommit<Item, Result> {
  if (options.maxBatch < 1 || options.inFlight < 1) throw new RangeError("maxBatch and inFlight start at 1.");
  const queue: Waiting<Item, Result>[] = [];
  let running = 0;
  let scheduled = false;
  let closing: { promise: Promise<void>; resolve: () => void } | undefined;

  function schedule(): void {
    if (scheduled || running >= options.inFlight || queue.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      while (running < options.inFlight && queue.length > 0) void send(queue.splice(0, options.maxBatch));
    });
  }

  async function send(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    running++;
    try {
      answer(batch, await options.run(batch.map((waiting) => waiting.item)));
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    } finally {
      running--;
      if (queue.length > 0) schedule();
      else if (running === 0) closing?.resolve();
    }
  }

  function add(item: Item): Promise<Result> {
    if (closing) return Promise.reject(new Error("The batcher is closed."));
    return new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      schedule();
    });
  }

  function close(): Promise<void> {
    closing ??= Promise.withResolvers<void>();
    if (running === 0 && queue.length === 0) closing.resolve();
    return closing.promise;
  }

  return Object.defineProperty(Object.assign(add, { close, waiting: 0 }), "waiting", { get: () => queue.length });
}

function answer<Item, Result>(batch: readonly Waiting<Item, Result>[], results: readonly Result[]): void {
  if (results.length !== batch.length) {
    throw new Error(`A batch of ${batch.length} items was answered with ${results.length} results.`);
  }
  for (const [index, result] of results.entries()) batch[index]?.resolve(result);
}
