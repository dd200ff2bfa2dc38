// What is left. The server computes the figures.

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { usage } from "#strings/usage";
import { balanceQuery } from "../../api/usage.ts";
import { formatCredits } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import styles from "./usage.module.css";

const words = usage.balance;

export function Balance(): ReactNode {
  const { data, error, refetch } = useQuery(balanceQuery);
  if (error && data === undefined) return <FaultNote fault={error} retry={refetch} />;
  if (data === undefined) {
    return (
      <div className={styles.tiles}>
        {[words.available, words.held, words.inFlight].map((label) => (
          <Skeleton key={label} height="6.67rem" />
        ))}
      </div>
    );
  }
  const isEmpty = Number(data.available) <= 0;
  return (
    <div className={styles.tiles}>
      <Tile
        label={words.available}
        value={formatCredits(data.available)}
        unit={words.credits}
        hint={isEmpty ? words.empty : words.availableHint}
        isBad={isEmpty}
      />
      <Tile label={words.held} value={formatCredits(data.held)} unit={words.credits} hint={words.heldHint} />
      <Tile
        label={words.inFlight}
        value={String(data.in_flight)}
        unit={words.calls(data.in_flight)}
        hint={words.inFlightHint}
      />
    </div>
  );
}

export function Tile(props: {
  readonly label: string;
  readonly value: string;
  readonly unit?: string;
  readonly hint?: ReactNode;
  readonly isBad?: boolean;
}): ReactNode {
  return (
    <div className={styles.tile} data-bad={props.isBad ?? false}>
      <span className={styles.tileLabel}>{props.label}</span>
      <span className={styles.tileValue}>
        {props.value} {props.unit ? <small>{props.unit}</small> : null}
      </span>
      {props.hint ? <span className={kit.hint}>{props.hint}</span> : null}
    </div>
  );
}
