// Random integers of any size, without a bias towards the low ones.
import { randomBytes } from "node:crypto";

export function randomBelow(count: bigint): bigint {
  if (count <= 1n) return 0n;
  const bits = (count - 1n).toString(2).length;
  const bytes = Math.ceil(bits / 8);
  for (;;) {
    const drawn = BigInt(`0x${randomBytes(bytes).toString("hex")}`) & ((1n << BigInt(bits)) - 1n);
    if (drawn < count) return drawn;
  }
}
