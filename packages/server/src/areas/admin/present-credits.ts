// Credits as operators see them on the wire.
import type * as wire from "@atelier/contract";
import { type CreditLine, changeOf, type Wallet } from "../../capabilities/calls/index.ts";
import { creditsText } from "../../capabilities/prices/index.ts";

export function presentBalance(wallet: Wallet): wire.CreditBalance {
  return { available: creditsText(wallet.available), held: creditsText(wallet.held), in_flight: wallet.inFlight };
}

export function presentCreditLine(line: CreditLine): wire.CreditLine {
  return {
    transaction_id: line.transactionId,
    kind: line.kind,
    amount: creditsText(line.amount),
    change: creditsText(changeOf(line)),
    at: line.at.toISOString(),
  };
}
