// What is committed with a call after the safety hook was asked: what is sent now, and at which price.
import { Fault } from "../../../foundation/fault.ts";
import type { Redirection } from "../../calls/index.ts";
import { pricedInput } from "../../prices/index.ts";
import type { CatalogModel } from "../catalog/catalog.ts";
import { redirectionTo } from "../routes/follow-targets.ts";
import type { Candidate } from "../routes/plan-route.ts";

export interface SentNow {
  readonly model: CatalogModel;
  readonly document: unknown;
  // The price that the call began with.
  readonly priceRecordId: string | null;
  // Of a route: the target that is asked first.
  readonly target: Candidate | undefined;
}

export function sentRedirection({ model, document, priceRecordId, target }: SentNow, context: object): Redirection {
  if (target) {
    const redirection = redirectionTo(target);
    return { ...redirection, context: { ...redirection.context, ...context } };
  }
  const { definition, definitionVersion } = model;
  const priced = pricedInput(definition.price, document);
  return { definitionVersion, priceRecordId, pricedInput: priced, recovery: definition.recovery, context };
}

export function heldTooLittle(): Fault {
  return new Fault("price_above_limit", "It may cost more than is held for this call.");
}
