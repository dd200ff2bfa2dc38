// For data that the database keeps by the hour, day or month of its own clock: after this wait, none of them ends during
// the test.
export async function calmHour(secondsLeft = 60): Promise<void> {
  const hourMs = 3_600_000;
  const leftMs = hourMs - (Date.now() % hourMs);
  if (leftMs < secondsLeft * 1000) await new Promise((resolve) => setTimeout(resolve, leftMs + 100));
}
