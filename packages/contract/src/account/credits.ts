// Credits on the wire: a workspace's balance, how it came about, the moves operators make, and caps on keys.
import { type Static, Type } from "typebox";
import { PageQuery, pageOf } from "../pagination.ts";
import { Credits, entity, nullable, Timestamp, Uuid, uuidPattern, wordOf } from "../wire-values.ts";

const NullableCredits = (description: string) => nullable(Credits, description);
const note = Type.Optional(Type.String({ maxLength: 500, description: "The reason. Recorded in the audit log." }));

// Must be above 0, which JSON Schema can only express for a string with a pattern.
const Amount = Type.String({
  pattern: "^(?!0(\\.0{1,6})?$)(0|[1-9][0-9]{0,11})(\\.[0-9]{1,6})?$",
  description: "An amount of credits above 0, as a decimal string with at most six decimal places.",
});

const balance = {
  available: Credits,
  held: Credits,
  in_flight: Type.Integer({ minimum: 0, description: "Calls currently at providers." }),
};

export const CreditBalance = entity(
  "CreditBalance",
  "What a workspace can spend, and what its open calls hold.",
  balance,
);
export type CreditBalance = Static<typeof CreditBalance>;

export const CreditLine = entity("CreditLine", "One line of the journal. Lines are only ever added, never changed.", {
  transaction_id: Type.String({ format: "uuid", description: "The call, top-up or withdrawal." }),
  kind: wordOf(["fund", "hold", "settle", "release", "refund", "withdraw"], {
    description:
      "fund: topped up. settle: charged. refund: refunded. withdraw: removed by an operator. hold and release: set aside for an open call, and returned.",
  }),
  amount: Credits,
  change: Type.String({
    pattern: "^-?(0|[1-9][0-9]*)(\\.[0-9]{1,6})?$",
    description: "How much the line changed the workspace's credits (available plus held).",
  }),
  at: Timestamp,
});
export type CreditLine = Static<typeof CreditLine>;

export const CreditLinePage = pageOf(CreditLine, "CreditLinePage", "One page of the journal, newest line first.");

export const CreditLineQuery = Type.Object({
  ...PageQuery.properties,
  transaction_id: Type.Optional(
    Type.String({
      format: "uuid",
      pattern: uuidPattern,
      description: "Only the lines of this transaction, including holds and releases.",
    }),
  ),
});

export const MoveCredits = entity("MoveCredits", "How many credits to add or remove.", { amount: Amount, note });

export const CreditMove = entity("CreditMove", "Credits were moved. The balance is current.", {
  transaction_id: Uuid,
  workspace_id: Uuid,
  amount: Credits,
  credits: CreditBalance,
});

export const RefundCall = entity("RefundCall", "Why a call is refunded.", { note });

export const KeyCaps = entity("KeyCaps", "How much one key may spend, and what it has spent.", {
  key_id: Uuid,
  daily_credits_max: NullableCredits("Credits it may spend per UTC day; null for no cap."),
  monthly_credits_max: NullableCredits("Credits it may spend per UTC month; null for no cap."),
  spent_today: Credits,
  spent_this_month: Credits,
  held: Type.String({
    pattern: "^(0|[1-9][0-9]*)(\\.[0-9]{1,6})?$",
    description: "The most its open calls can still cost. Counts against the caps.",
  }),
});
export type KeyCaps = Static<typeof KeyCaps>;

const cap = (description: string) =>
  nullable(Type.String({ pattern: "^(0|[1-9][0-9]{0,12})(\\.[0-9]{1,6})?$" }), description);

export const SetKeyCaps = entity("SetKeyCaps", "How much one key may spend.", {
  daily_credits_max: cap("Credits per UTC day, 0 or more; null for no cap."),
  monthly_credits_max: cap("Credits per UTC month, 0 or more; null for no cap."),
});
