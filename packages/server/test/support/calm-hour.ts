// For what the database keeps by the hour, the day or the month of its own clock: none of them ends within a test that
// waited here before.
export async function calmHour(secondsLeft = 60): Promise<void> {
  const hourMs = 3_600_000;
  const leftMs = hourMs - (Date.now() % hourMs);
  if (leftMs < secondsLeft * 1000) await new Promise((resolve) => setTimeout(resolve, leftMs + 100));
}
