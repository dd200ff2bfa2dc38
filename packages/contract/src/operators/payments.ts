// For operators who sell credits: plans, payments and the payment provider's events.
import { type Static, Type } from "typebox";
import { Currency, Minor } from "../account/plans.ts";
import { PageQuery, pageOf } from "../pagination.ts";
import { Credits, entity, notBlank, nullable, Timestamp, Uuid, wordOf } from "../wire-values.ts";

const Amount = Type.String({
  pattern: "^(?!0(\\.0{1,6})?$)(0|[1-9][0-9]{0,11})(\\.[0-9]{1,6})?$",
  description: "An amount of credits above 0, as a decimal string with at most six decimal places.",
});
const name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: notBlank,
  description: "Its name, as buyers see it.",
});
const price = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000_000,
  description: "The price as buyers see it here, in minor units. The provider decides what is charged.",
});
const checkoutUrl = nullable(
  Type.String({ format: "uri", pattern: "^https://[^/]", maxLength: 2_000 }),
  "The provider's page where it is bought. The workspace is added as client_reference_id. Null: none.",
);
const rollsOver = Type.Boolean({
  description: "Whether credits left over from a period stay when the next one begins.",
});

export const CreatePlan = entity("CreatePlan", "A plan to sell.", {
  name,
  kind: Type.Optional(
    wordOf(["subscription", "once"], { description: "subscription, the default: credits for each paid period." }),
  ),
  credits: Amount,
  price_minor: price,
  currency: Currency,
  price_id: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: "^[!-~]+$",
    description: "The provider's id of the price. Payments name it; it cannot be changed.",
  }),
  rolls_over: Type.Optional(rollsOver),
  checkout_url: Type.Optional(checkoutUrl),
});
export type CreatePlan = Static<typeof CreatePlan>;

export const ChangePlan = entity("ChangePlan", "What to change of a plan. Later payments get the new credits.", {
  name: Type.Optional(name),
  credits: Type.Optional(Amount),
  price_minor: Type.Optional(price),
  currency: Type.Optional(Currency),
  rolls_over: Type.Optional(rollsOver),
  checkout_url: Type.Optional(checkoutUrl),
  is_retired: Type.Optional(
    Type.Boolean({ description: "Whether it is no longer offered. Who has it keeps it, and still gets its credits." }),
  ),
});
export type ChangePlan = Static<typeof ChangePlan>;

export const Plan = entity("Plan", "A plan as operators see it.", {
  id: Uuid,
  name: Type.String(),
  kind: wordOf(["subscription", "once"]),
  credits: Credits,
  price_minor: Minor,
  currency: Currency,
  provider: Type.String({ description: "The payment provider." }),
  price_id: Type.String({ description: "The provider's id of the price." }),
  rolls_over: rollsOver,
  checkout_url: nullable(Type.String({ format: "uri" })),
  created_at: Timestamp,
  is_retired: Type.Boolean(),
});
export type Plan = Static<typeof Plan>;
export const PlanList = entity("PlanList", "All plans, cheapest first.", { data: Type.Array(Plan) });

export const Payment = entity("Payment", "A payment that the provider reported, and the credits it brought.", {
  id: Uuid,
  provider: Type.String(),
  reference: Type.String({ description: "The provider's invoice, or the payment itself." }),
  workspace_id: nullable(Uuid, "Null: not known. Assign it, and its credits are added."),
  customer: nullable(Type.String(), "The provider's id of the customer."),
  email: nullable(Type.String(), "As the provider knows the customer."),
  plan_id: nullable(Uuid),
  paid_at: Timestamp,
  amount_minor: Minor,
  refunded_minor: Minor,
  currency: Type.String(),
  granted_at: nullable(Timestamp, "When the credits were added. Null: not yet."),
  credits: Credits,
  taken_back: Credits,
  expired: Credits,
  owed: Type.String({
    pattern: "^(0|[1-9][0-9]*)(\\.[0-9]{1,6})?$",
    description: "Credits that a refund should have taken back and that were spent. Taken from what is added next.",
  }),
});
export type Payment = Static<typeof Payment>;
export const PaymentPage = pageOf(Payment, "PaymentPage", "One page of payments, newest first.");
export const PaymentQuery = Type.Object({
  ...PageQuery.properties,
  waiting: Type.Optional(Type.Boolean({ description: "true: only payments that brought no credits yet." })),
});

export const AssignPayment = entity("AssignPayment", "Whose payment it is.", { workspace_id: Uuid });

export const PaymentEvent = entity("PaymentEvent", "One event of the payment provider.", {
  provider: Type.String(),
  event_id: Type.String(),
  type: Type.String({ description: "As the provider names it." }),
  made_at: Timestamp,
  received_at: Timestamp,
  state: wordOf(["stored", "applied", "ignored"], {
    description: "stored: not applied yet, and tried again. ignored: nothing to do with payments.",
  }),
  note: nullable(Type.String(), "What is missing, if anything."),
  attempts: Type.Integer({ minimum: 0, description: "How often applying it failed." }),
});
export type PaymentEvent = Static<typeof PaymentEvent>;
export const PaymentEventPage = pageOf(PaymentEvent, "PaymentEventPage", "One page of events, newest first.");
export const PaymentEventQuery = Type.Object({
  ...PageQuery.properties,
  state: Type.Optional(wordOf(["stored", "applied", "ignored"], { description: "Only events in this state." })),
});

export const ReceivedEvent = entity("ReceivedEvent", "The event is stored.", {
  event_id: Type.String(),
  state: wordOf(["stored", "applied", "ignored"]),
});
