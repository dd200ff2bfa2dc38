// A wallet and its lines as JSON on the wire, the same for owners and operators.
import type * as wire from "@atelier/contract";
import { creditsText } from "../../prices/index.ts";
import type { Wallet } from "../ledger/wallet.ts";
import { changeOf } from "./credits.ts";
import type { CreditLine } from "./credits-store.ts";

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
