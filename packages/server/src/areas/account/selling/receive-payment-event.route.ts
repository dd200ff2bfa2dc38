// Where the payment provider reports payments. It holds no key of ours: the body is signed.
import { operations } from "@atelier/contract";
import type { Selling } from "../../../capabilities/selling/index.ts";
import { type Area, area, jsonAnswer, type Route } from "../../../foundation/http/area.ts";
import { genericEnvelope } from "../../../foundation/http/generic-envelope.ts";
import { requireSelling } from "./selling.route.ts";

// Far above any event: the longest invoices list a hundred lines.
const eventBytesMax = 512 * 1024;

export function paymentEvents(selling: Selling | null): Area {
  return area({
    name: "payment events",
    prefixes: ["/payments"],
    authenticate: null,
    envelope: genericEnvelope,
    cors: "listed",
    routes: [receivePaymentEventRoute(selling)],
  });
}

export function receivePaymentEventRoute(selling: Selling | null): Route<unknown> {
  return {
    operation: operations.receivePaymentEvent,
    bodyBytesMax: eventBytesMax,
    async handle(incoming) {
      const header = incoming.headers["stripe-signature"];
      const signature = Array.isArray(header) ? header.join(",") : header;
      const provider = incoming.params["provider"] ?? "";
      const { event } = await requireSelling(selling).receive(provider, { signature, bytes: await incoming.bytes() });
      return jsonAnswer(200, { event_id: event.eventId, state: event.state });
    },
  };
}
