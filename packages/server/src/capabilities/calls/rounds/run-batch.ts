// One batch, one statement, and no row of a batch may fail another. If the database refuses a batch because of its content,
// we halve it until the culprit is alone. A lost connection is not the items' fault and is passed on.
import { Fault } from "../../../foundation/fault.ts";

export type ItemResult<Result> =
  | { readonly ok: true; readonly value: Result }
  | { readonly ok: false; readonly error: unknown };

export async function runBatch<Item, Result>(
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<ItemResult<Result>[]> {
  try {
    return (await run(items)).map((value) => ({ ok: true, value }));
  } catch (error) {
    if (error instanceof Fault || items.length === 1) return items.map(() => ({ ok: false, error }));
    const half = Math.ceil(items.length / 2);
    return [...(await runBatch(items.slice(0, half), run)), ...(await runBatch(items.slice(half), run))];
  }
}

export function unwrap<Result>(result: ItemResult<Result>): Result {
  if (!result.ok) throw result.error;
  return result.value;
}
