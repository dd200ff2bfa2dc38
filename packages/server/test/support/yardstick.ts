// A fixed piece of work of the kind that the server does with a body: whatever slows the machine down right now (a neighbour
// on the same core, a lower frequency) slows it down as much. A limit of processor time is told in terms of it, so that it
// means the same on every machine; what is slow by itself takes more yardsticks on all of them.

// What the work takes on the machine on which the limits were set.
const referenceMs = 65;
// The clock of a thread may move in steps of four milliseconds; so much work that a step more or less does not matter.
const rounds = 14;

const text = `{${Array.from({ length: 6_000 }, (_, at) => `"member${at}":[${at},"${at}"]`).join(",")}}`;

function work(): number {
  const value: Readonly<Record<string, unknown>> = JSON.parse(text);
  return Object.entries(value).reduce((sum, [name, held]) => sum + name.length + JSON.stringify(held).length, 0);
}

// How many times slower than that machine this one is at present; never below 1, for a limit is not lowered by a fast one.
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
