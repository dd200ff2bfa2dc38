// With the decimals of the end, so that the width hardly changes.
export function stepOf(to: string, share: number): string {
  const decimals = Math.min(2, to.split(".")[1]?.length ?? 0);
  return (Number(to) * share).toFixed(decimals);
}
