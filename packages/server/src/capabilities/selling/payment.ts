// A payment that the provider reported, and the credits that it brought.
import type { Id, WorkspaceId } from "../../foundation/ids.ts";
import type { InvoiceDocument } from "./invoice/invoice-document.ts";
import type { PlanId, ProviderName } from "./plan.ts";

export type PaymentId = Id<"payment">;

export interface Payment {
  readonly id: PaymentId;
  readonly provider: ProviderName;
  readonly reference: string;
  readonly workspaceId: WorkspaceId | null;
  readonly customer: string | null;
  readonly subscription: string | null;
  readonly planId: PlanId | null;
  readonly paidAt: Date;
  readonly amountMinor: number;
  readonly refundedMinor: number;
  readonly currency: string;
  readonly document: InvoiceDocument;
  readonly grantedAt: Date | null;
  readonly credits: bigint;
  readonly takenBack: bigint;
  readonly expired: bigint;
  readonly owed: bigint;
  readonly periodFrom: Date | null;
  readonly expiresAt: Date | null;
  readonly endedAt: Date | null;
}

export interface PaymentPosition {
  readonly at: Date;
  readonly id: PaymentId;
}
