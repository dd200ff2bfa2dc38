// What a task cost, by the price it began with: the same sum that was taken from the wallet.
import { trustedId } from "../../foundation/ids.ts";
import type { Calls } from "../calls/index.ts";
import { charge, type Prices } from "../prices/index.ts";
import type { Task } from "./task.ts";

export interface ChargeDeps {
  readonly calls: Pick<Calls, "find">;
  readonly prices: Pick<Prices, "get">;
}

// Null if it has not ended, or its call is no longer kept.
export async function computeTaskCharge({ calls, prices }: ChargeDeps, task: Task): Promise<bigint | null> {
  if (task.state === "failed") return 0n;
  if (task.state !== "completed") return null;
  const call = await calls.find(task.id);
  if (call === null) return null;
  const record = call.priceRecordId === null ? null : await prices.get(trustedId(call.priceRecordId));
  return record ? charge(record.price, call.pricedInput) : call.hold;
}
