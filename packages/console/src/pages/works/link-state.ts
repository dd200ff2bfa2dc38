import type { WorkLink } from "@atelier/sdk";

export type LinkState = "open" | "ended" | "expired" | "spent";

// Whether people can still run something through the link.
export function linkState(
  link: Pick<WorkLink, "budget" | "spent" | "expires_at" | "ended_at">,
  now: number,
): LinkState {
  if (link.ended_at !== null) return "ended";
  if (new Date(link.expires_at).getTime() <= now) return "expired";
  // What costs nothing runs without a budget.
  return Number(link.budget) > 0 && Number(link.spent) >= Number(link.budget) ? "spent" : "open";
}
