// Ends calls inside another capability's transaction. That capability's locked row decides who ends them, so we read the
// current fence instead of knowing it: a follower that adopts the call meanwhile only raises it. The ending statement locks
// wallets, so call it last, and once per transaction.
import type { Queryable } from "../../../foundation/database/index.ts";
import type { CallEnding, CallId } from "../call/call-opening.ts";
import { findFences } from "../call/call-store.ts";
import { finishCalls } from "../rounds/finish-store.ts";

const looksMax = 5;

// The same, using the fences in the endings. A call missing from the result has another owner by now, or has ended: the
// caller must roll its transaction back.
export async function finishFenced(tx: Queryable, endings: readonly CallEnding[]): Promise<ReadonlySet<CallId>> {
  const done = await finishCalls(tx, endings);
  return new Set(endings.flatMap(({ call }, index) => (done.has(index) ? [call.id] : [])));
}

// Returns the calls this ended, without those that had ended before.
export async function finishAnyFence(tx: Queryable, endings: readonly CallEnding[]): Promise<ReadonlySet<CallId>> {
  const done = new Set<CallId>();
  let left = endings;
  for (let look = 0; left.length > 0 && look < looksMax; look++) {
    const fences = await findFences(
      tx,
      left.map(({ call }) => call.id),
    );
    const fenced = left.flatMap((ending) => {
      const fence = fences.get(ending.call.id);
      return fence === undefined ? [] : [{ ...ending, call: { ...ending.call, fence } }];
    });
    if (fenced.length === 0) return done;
    const ended = await finishCalls(tx, fenced);
    for (const index of ended) {
      const id = fenced[index]?.call.id;
      if (id !== undefined) done.add(id);
    }
    left = fenced.filter(({ call }) => !done.has(call.id));
  }
  if (left.length > 0) throw new Error("A call could not be ended: other processes keep taking it over.");
  return done;
}
