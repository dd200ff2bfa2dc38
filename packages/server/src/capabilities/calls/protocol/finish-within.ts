// Ends calls inside another capability's transaction. That capability's own locked row decides who ends them, so the
// fence, which keeps owners apart, is read and not known: a follower that adopts the call meanwhile only raises it.
// Wallets are locked by the statement that ends: call it last, and once in a transaction.
import type { Queryable } from "../../../foundation/database/index.ts";
import type { CallEnding, CallId } from "../call/call-opening.ts";
import { findFences } from "../call/call-store.ts";
import { finishCalls } from "../rounds/finish-store.ts";

const looksMax = 5;

// The same by the fences that the endings carry. What is not among the answer has another owner by now, or has ended: the
// caller's transaction must not stand.
export async function finishFenced(tx: Queryable, endings: readonly CallEnding[]): Promise<ReadonlySet<CallId>> {
  const done = await finishCalls(tx, endings);
  return new Set(endings.flatMap(({ call }, index) => (done.has(index) ? [call.id] : [])));
}

// The calls that were ended by this; those that had ended before are not among them.
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
  if (left.length > 0) throw new Error("A call could not be ended: somebody adopts it over and over.");
  return done;
}
