// Page cursors that follow the key ring: the next cursor after a rotation uses the new key, without a restart.
import type { Clock } from "../../foundation/clock.ts";
import { type Cursors, createCursors } from "../../foundation/cursor.ts";
import type { KeyRing } from "./key-ring.ts";

export function cursorsOf(ring: KeyRing, clock: Clock): Cursors {
  const now = () => {
    const current = ring.current("cursor");
    const others = ring.verifying("cursor").filter(({ id }) => id !== current.id);
    return createCursors({ secrets: [current, ...others].map(({ secret }) => secret), clock });
  };
  return {
    issue: (purpose, position, stepSeconds) => now().issue(purpose, position, stepSeconds),
    read: (purpose, text) => now().read(purpose, text),
  };
}
