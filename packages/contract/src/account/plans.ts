// Plans that a workspace can buy, the one it has, and its invoices. Amounts of money are the payment provider's, in minor units.
import { type Static, Type } from "typebox";
import { PageQuery, pageOf } from "../pagination.ts";
import { Credits, entity, nullable, Timestamp, Uuid, wordOf } from "../wire-values.ts";

export const Minor = Type.Integer({
  minimum: -1_000_000_000_000,
  maximum: 1_000_000_000_000,
  description: "An amount of money in the currency's minor unit: 1900 is 19.00 EUR, or 1900 JPY.",
});
export const Currency = Type.String({ pattern: "^[a-z]{3}$", description: "An ISO 4217 currency in lower case." });

export const PlanOffer = entity("PlanOffer", "A plan that can be bought.", {
  id: Uuid,
  name: Type.String({ description: "Its name." }),
  kind: wordOf(["subscription", "once"], {
    description: "subscription: credits for each paid period. once: credits for one payment.",
  }),
  credits: Credits,
  price_minor: Minor,
  currency: Currency,
  rolls_over: Type.Boolean({ description: "Whether credits left over from a period stay when the next one begins." }),
  checkout_url: nullable(
    Type.String({ format: "uri" }),
    "The payment provider's page where it is bought for this workspace. Null: ask the operator.",
  ),
});
export type PlanOffer = Static<typeof PlanOffer>;

export const CurrentPlan = entity("CurrentPlan", "A subscription that the workspace paid for.", {
  subscription: Type.String({ description: "The payment provider's id of it." }),
  plan_id: nullable(Uuid, "Null if the operator has no plan for its price any more."),
  name: Type.String({ description: "The plan's name." }),
  state: wordOf(["active", "grace", "ending", "ended"], {
    description:
      "grace: the last payment failed, and the plan goes on until grace_until. ending: cancelled, until period_end.",
  }),
  period_end: nullable(Timestamp, "When the paid period ends."),
  grace_until: nullable(Timestamp, "How long the plan goes on without the payment that is missing."),
});
export type CurrentPlan = Static<typeof CurrentPlan>;

export const PlanOverview = entity("PlanOverview", "What a workspace has and what it can buy.", {
  current: Type.Array(CurrentPlan, { description: "Newest first. Ended ones are listed for 90 days." }),
  offers: Type.Array(PlanOffer, { description: "Cheapest first." }),
});
export type PlanOverview = Static<typeof PlanOverview>;

export const Invoice = entity("Invoice", "A payment, as the payment provider invoiced it.", {
  id: Uuid,
  number: nullable(Type.String(), "The provider's number. Null for a payment that has no invoice there."),
  paid_at: Timestamp,
  plan: nullable(Type.String(), "The plan's name."),
  credits: Credits,
  currency: Currency,
  customer: Type.Object(
    {
      name: nullable(Type.String()),
      email: nullable(Type.String()),
      address: Type.Array(Type.String()),
      tax_ids: Type.Array(Type.String()),
    },
    { description: "Who paid, as the provider knows them." },
  ),
  lines: Type.Array(Type.Object({ text: Type.String(), quantity: nullable(Type.Integer()), amount_minor: Minor }), {
    description: "What was bought.",
  }),
  subtotal_minor: nullable(Minor, "Before discounts and taxes."),
  discount_minor: nullable(Minor, "What was taken off."),
  taxes: Type.Array(Type.Object({ label: Type.String(), amount_minor: Minor }), {
    description: "As the provider worked them out.",
  }),
  total_minor: Minor,
  paid_minor: Minor,
  refunded_minor: Minor,
  provider_url: nullable(Type.String({ format: "uri" }), "The provider's own page of it."),
});
export type Invoice = Static<typeof Invoice>;

export const InvoicePage = pageOf(Invoice, "InvoicePage", "One page of invoices, newest first.");
export const InvoiceQuery = PageQuery;
