// X-Service-Max-Credits on a call of a model: the refusal of a call that could cost more than its caller allows. It belongs
// to what is wrong with the request itself (`refusal` of a paid call), so it is told only where the key is not known.
import { aboveLimit } from "../../capabilities/prices/index.ts";
import type { Fault } from "../../foundation/fault.ts";

// `hold`: the most that the call can cost. Both in micro-credits; null: no limit was sent.
export function refusalAbove(limit: bigint | null, hold: bigint): Fault | null {
  return aboveLimit("call", { highest: hold, limit });
}
