// What an event changes: the state of one object, and then every payment that this state concerns. One transaction, so an event is
// applied whole or not at all, and a process that dies in between leaves it stored for the next round.
import type { Database } from "../../foundation/database/index.ts";
import { endEvent, lockStoredEvent } from "./event-store.ts";
import { findConcerned, putObject } from "./object-store.ts";
import type { EventName } from "./payment-event.ts";
import { takePaymentsTurn } from "./payment-store.ts";
import type { SeenEvent } from "./reading/object-facts.ts";
import { type SettleDeps, settlePayment } from "./settling/settle-payment.ts";

// False: it was applied before, or another process is done with it.
export function applyEvent(
  database: Database,
  deps: SettleDeps,
  name: EventName,
  read: (body: unknown) => SeenEvent | null,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    await takePaymentsTurn(tx);
    const body = await lockStoredEvent(tx, name);
    if (body === null) return false;
    const object = read(body)?.object ?? null;
    if (object === null) {
      await endEvent(tx, name, {
        state: "ignored",
        note: "It is not about payments, or not in a shape that is known.",
      });
      return true;
    }
    await putObject(tx, name.provider, object);
    const notes = new Set<string>();
    for (const reference of await findConcerned(tx, name.provider, object.objectId)) {
      const settled = await settlePayment(tx, deps, { provider: name.provider, reference });
      if (settled?.kind === "waiting") notes.add(settled.why);
    }
    await endEvent(tx, name, { state: "applied", note: notes.size === 0 ? null : [...notes].join(" ") });
    return true;
  });
}
