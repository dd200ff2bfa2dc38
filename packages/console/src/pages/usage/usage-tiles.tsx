// What is left. The server computes the figures.
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { balanceQuery } from "../../api/usage.ts";
import { creditsOf } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import styles from "./usage.module.css";

export function Balance(): ReactNode {
  const { data, error, refetch } = useQuery(balanceQuery);
  if (error && data === undefined) return <FaultNote fault={error} retry={refetch} />;
  if (data === undefined) {
    return (
      <div className={styles.tiles}>
        {["Available", "Held", "In flight"].map((label) => (
          <Skeleton key={label} height="6.67rem" />
        ))}
      </div>
    );
  }
  const isEmpty = Number(data.available) <= 0;
  return (
    <div className={styles.tiles}>
      <Tile
        label="Available"
        value={creditsOf(data.available)}
        unit="credits"
        hint={isEmpty ? "Calls that cost something are refused with 402 until an operator tops up." : "To spend now."}
        isBad={isEmpty}
      />
      <Tile label="Held" value={creditsOf(data.held)} unit="credits" hint="Set aside for open calls." />
      <Tile
        label="In flight"
        value={String(data.in_flight)}
        unit={data.in_flight === 1 ? "call" : "calls"}
        hint="At the providers now."
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
