// How many milliseconds things take.
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

// Repeats something until the time is over, this many at once; what each took, the shortest first.
export async function crowd(
  sides: number,
  seconds: number,
  run: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const until = performance.now() + seconds * 1000;
  const took: number[] = [];
  await Promise.all(
    Array.from({ length: sides }, async (_, side) => {
      for (let index = side; performance.now() < until; index += sides) took.push(await timed(() => run(index)));
    }),
  );
  return took.sort((one, other) => one - other);
}
