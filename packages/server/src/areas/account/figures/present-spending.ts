// Odd hours in their wire format.
import type { SpendingAlert } from "@atelier/contract";
import type { SpendingWatch } from "../../../capabilities/calls/index.ts";
import { creditsText } from "../../../capabilities/prices/index.ts";

export function presentSpendingAlert(odd: SpendingWatch["alerts"][number]): SpendingAlert {
  return {
    hour: odd.hour.toISOString(),
    spent: creditsText(odd.spent),
    average: creditsText(odd.average),
    highest: creditsText(odd.highest),
    weeks: odd.weeks,
    sequence: odd.sequence,
    at: odd.at.toISOString(),
  };
}
