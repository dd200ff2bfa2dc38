// Handles many items, several at a time, so that waits for the database or a file overlap. The first error is thrown once
// all lanes have ended.
export async function inLanes<Item>(
  items: Iterable<Item>,
  lanes: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await run(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}
