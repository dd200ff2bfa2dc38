// What an operator sells: so many credits for each paid period of a subscription, or once. The provider knows a plan by its price.
import type { Id } from "../../foundation/ids.ts";

export type PlanId = Id<"plan">;

export interface PlanTerms {
  readonly name: string;
  readonly kind: "subscription" | "once";
  // Micro-credits.
  readonly credits: bigint;
  // For display only: the provider decides what is charged.
  readonly priceMinor: bigint;
  readonly currency: string;
  readonly priceId: string;
  readonly rollsOver: boolean;
  // The provider's page where it is bought. Null: it cannot be bought from here.
  readonly checkoutUrl: string | null;
}

export interface Plan extends PlanTerms {
  readonly id: PlanId;
  readonly provider: ProviderName;
  readonly createdAt: Date;
  // It is no longer offered; who has it keeps it.
  readonly retiredAt: Date | null;
}

export const providerNames = ["stripe"] as const;
export type ProviderName = (typeof providerNames)[number];
