// Credits on the wire: a workspace's balance, how it came about, the moves operators make, and caps on keys.
import { type Static, Type } from "typebox";
import { PageQuery, pageOf } from "../pagination.ts";
import { Credits, entity, nullable, Timestamp, Uuid, uuidPattern, wordOf } from "../wire-values.ts";

const NullableCredits = (description: string) => nullable(Credits, description);
const note = Type.Optional(Type.String({ maxLength: 500, description: "Why; the audit keeps it." }));

// Must be above 0, which JSON Schema can only express for a string with a pattern.
const Amount = Type.String({
  pattern: "^(?!0(\\.0{1,6})?$)(0|[1-9][0-9]{0,11})(\\.[0-9]{1,6})?$",
  description: "An amount of credits above 0, as a decimal text with at most six places.",
});

const balance = {
  available: Credits,
  held: Credits,
  in_flight: Type.Integer({ minimum: 0, description: "Calls at the providers now." }),
};

export const CreditBalance = entity(
  "CreditBalance",
  "What a workspace can spend, and what its open calls hold of it for now.",
  balance,
);
export type CreditBalance = Static<typeof CreditBalance>;

export const CreditLine = entity("CreditLine", "One line of the journal. Lines are never changed, only added.", {
  transaction_id: Type.String({ format: "uuid", description: "The call, top-up or withdrawal." }),
  kind: wordOf(["fund", "hold", "settle", "release", "refund", "withdraw"], {
    description:
      "fund: topped up; settle: charged; refund: given back; withdraw: taken out; hold and release: set aside for an open call, and back.",
  }),
  amount: Credits,
  change: Type.String({
    pattern: "^-?(0|[1-9][0-9]*)(\\.[0-9]{1,6})?$",
    description: "By how much the line changed what the workspace owns (available and held together).",
  }),
  at: Timestamp,
});
export type CreditLine = Static<typeof CreditLine>;

export const CreditLinePage = pageOf(CreditLine, "CreditLinePage", "One page of the journal, the newest line first.");
export type CreditLinePage = Static<typeof CreditLinePage>;

export const CreditLineQuery = Type.Object({
  ...PageQuery.properties,
  transaction_id: Type.Optional(
    Type.String({
      format: "uuid",
      pattern: uuidPattern,
      description: "All lines of this one transaction, holds and releases too.",
    }),
  ),
});

export const MoveCredits = entity("MoveCredits", "How many credits to put in or take out.", { amount: Amount, note });
export type MoveCredits = Static<typeof MoveCredits>;

export const CreditMove = entity("CreditMove", "Credits were moved; the balance is the one of now.", {
  transaction_id: Uuid,
  workspace_id: Uuid,
  amount: Credits,
  credits: CreditBalance,
});
export type CreditMove = Static<typeof CreditMove>;

export const RefundCall = entity("RefundCall", "Why a call is refunded.", { note });
export type RefundCall = Static<typeof RefundCall>;

export const KeyCaps = entity("KeyCaps", "How much one key may spend, and what it has spent.", {
  key_id: Uuid,
  daily_credits_max: NullableCredits("Credits it may spend on a UTC day; null: no cap."),
  monthly_credits_max: NullableCredits("Credits it may spend in a UTC month; null: no cap."),
  spent_today: Credits,
  spent_this_month: Credits,
  held: Type.String({
    pattern: "^(0|[1-9][0-9]*)(\\.[0-9]{1,6})?$",
    description: "The most that its open calls can still cost; it counts against the caps.",
  }),
});
export type KeyCaps = Static<typeof KeyCaps>;

const cap = (description: string) =>
  nullable(Type.String({ pattern: "^(0|[1-9][0-9]{0,12})(\\.[0-9]{1,6})?$" }), description);

export const SetKeyCaps = entity("SetKeyCaps", "How much one key may spend.", {
  daily_credits_max: cap("Credits a UTC day, 0 or more; null: no cap."),
  monthly_credits_max: cap("Credits a UTC month, 0 or more; null: no cap."),
});
export type SetKeyCaps = Static<typeof SetKeyCaps>;
