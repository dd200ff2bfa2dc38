// How long a page's own thread was at work while something happened: its processor time, so that a busy machine changes nothing.
import type { Visit } from "./scene.ts";

export async function threadTimeOf(
  visit: Visit,
  during: () => Promise<void>,
): Promise<{ readonly ms: number; readonly passedMs: number }> {
  const session = await visit.context.newCDPSession(visit.page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  };
  const [before, at] = [await read(), performance.now()];
  await during();
  return { ms: 1_000 * ((await read()) - before), passedMs: performance.now() - at };
}
