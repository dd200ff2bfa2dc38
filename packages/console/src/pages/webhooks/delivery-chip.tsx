import type { WebhookDelivery } from "@atelier/sdk";
import { Ban, Check, CircleDashed, LoaderCircle, RotateCw, X } from "lucide-react";
import type { ReactNode } from "react";
import { webhooks } from "#strings/webhooks";
import { Chip } from "../../ui/chip.tsx";

export const statusWords = webhooks.status;
const titles = webhooks.statusTitles;

// A pending delivery with a failure behind it is being retried.
export function DeliveryChip({ of }: { readonly of: WebhookDelivery }): ReactNode {
  const isRetry = of.status === "pending" && of.attempts > 0;
  const [tone, icon, words, title] = isRetry
    ? (["warn", RotateCw, statusWords.retrying, titles.retrying] as const)
    : looks[of.status];
  return (
    <span data-status={of.status}>
      <Chip tone={tone} icon={icon} title={title}>
        {words}
      </Chip>
    </span>
  );
}

const looks = {
  pending: ["plain", CircleDashed, statusWords.pending, titles.pending],
  sending: ["info", LoaderCircle, statusWords.sending, titles.sending],
  delivered: ["ok", Check, statusWords.delivered, titles.delivered],
  dead: ["bad", X, statusWords.dead, titles.dead],
  gone: ["plain", Ban, statusWords.gone, titles.gone],
} as const;
