// Runs `act` on each item, a few at a time, started in order.
export async function inParallel<T>(all: readonly T[], atOnce: number, act: (each: T) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < all.length) {
      const each = all[next++];
      if (each !== undefined) await act(each);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, work));
}
