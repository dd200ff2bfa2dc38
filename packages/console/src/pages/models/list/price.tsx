// What a model costs, in credits and in money.
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { models as words } from "#strings/models";
import { configQuery } from "../../../api/config.ts";
import { formatPrice, formatUsd } from "../../../ui/amounts.ts";
import styles from "./models.module.css";

const useRate = (): number | null => useQuery(configQuery).data?.credits_per_usd ?? null;

// 1 credit = 0.0047 USD, from the operator's setting.
export function CreditWorth(): ReactNode {
  const rate = useRate();
  return rate === null ? null : <span className={styles.worth}>{words.list.worth(formatUsd(1, rate))}</span>;
}

export function Price({ price }: { readonly price: string }): ReactNode {
  const rate = useRate();
  // Only a price with one amount is worth one sum of money.
  const [, amount] = /^(\d+(?:\.\d+)?)(?: [^\d(]+)?$/.exec(price) ?? [];
  const usd = rate === null || amount === undefined || price === "0" ? null : formatUsd(Number(amount), rate);
  return (
    <span className={styles.price}>
      <strong title={formatPrice(price)}>{formatPrice(price)}</strong>
      {usd === null ? null : <span>{usd}</span>}
    </span>
  );
}
