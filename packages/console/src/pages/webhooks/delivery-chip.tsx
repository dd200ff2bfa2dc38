import type { WebhookDelivery } from "@atelier/sdk";
import { Ban, Check, CircleDashed, LoaderCircle, RotateCw, X } from "lucide-react";
import type { ReactNode } from "react";
import { Chip } from "../../ui/chip.tsx";

export const statusWords = {
  pending: "Waiting",
  sending: "Being sent",
  delivered: "Delivered",
  dead: "Failed",
  gone: "Unwanted",
} as const;

// A pending delivery with a failure behind it is being retried.
export function DeliveryChip({ of }: { readonly of: WebhookDelivery }): ReactNode {
  const isRetry = of.status === "pending" && of.attempts > 0;
  const [tone, icon, words, title] = isRetry
    ? (["warn", RotateCw, "Retrying", "The last attempt failed; it is tried again"] as const)
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
  pending: ["plain", CircleDashed, statusWords.pending, "It is sent in a moment"],
  sending: ["info", LoaderCircle, statusWords.sending, "The receiver has it, and has not answered yet"],
  delivered: ["ok", Check, statusWords.delivered, "The receiver took it"],
  dead: ["bad", X, statusWords.dead, "Nothing is sent by itself any more; it can be redelivered"],
  gone: ["plain", Ban, statusWords.gone, "The receiver answered 410: nothing more is sent about this"],
} as const;
