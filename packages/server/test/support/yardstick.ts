// A fixed piece of work like the work that the server does with a body. Anything that slows the machine down right now (a
// neighbour on the same core, a lower frequency) slows this down as much. Limits of processor time are expressed in it,
// so they mean the same on every machine; code that is slow in itself takes more yardsticks on all of them.

// How long the work takes on the machine where the limits were set.
const referenceMs = 65;
// A thread's clock may move in steps of four milliseconds; this is enough work that one step more or less does not
// matter.
const rounds = 14;

const text = `{${Array.from({ length: 6_000 }, (_, at) => `"member${at}":[${at},"${at}"]`).join(",")}}`;

function work(): number {
  const value: Readonly<Record<string, unknown>> = JSON.parse(text);
  return Object.entries(value).reduce((sum, [name, held]) => sum + name.length + JSON.stringify(held).length, 0);
}

// How many times slower this machine is than that one right now; never below 1, so that a fast machine lowers no limit.
export function slowness(): number {
  const before = threadMs();
  for (let round = 0; round < rounds; round++) work();
  return Math.max(1, (threadMs() - before) / referenceMs);
}

// Processor time of this thread so far.
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
