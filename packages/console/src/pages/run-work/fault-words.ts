// What went wrong, for people who have never heard of a status code.
import { runWork } from "#strings/works/run";
import type { ApiFault } from "../../api/fault.ts";

const words = runWork.faults;

export interface Said {
  readonly title: string;
  readonly text: string;
}

export function faultWords(
  { status, code, message }: Pick<ApiFault, "status" | "code" | "message">,
  isLink: boolean,
): Said {
  if (code === "canceled" || code === "cancelled") return { title: words.stopped, text: words.stoppedText };
  if (status === 0) return { title: words.lost, text: words.lostText };
  if (status === 401 || status === 403)
    return isLink ? { title: words.over, text: words.overText } : { title: words.gone, text: words.goneText };
  if (status === 402)
    return isLink ? { title: words.budget, text: words.budgetText } : { title: words.credits, text: words.creditsText };
  if (status === 404) return { title: words.gone, text: words.goneText };
  if (status === 422) return { title: words.inputs, text: words.inputsText };
  if (status === 429 || status === 503) return { title: words.busy, text: words.busyText };
  return { title: words.other, text: message };
}

// Whether trying again can help.
export const mayPass = ({ status }: Pick<ApiFault, "status">): boolean =>
  status === 0 || status === 429 || status >= 500;
