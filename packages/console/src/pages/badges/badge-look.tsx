// A badge as clients draw it, or a few words if there is none.

import { badgeLabel } from "@atelier/sdk/badges";
import { CircleAlert, Coins, Timer } from "lucide-react";
import type { ReactNode } from "react";
import { badges } from "#strings/badges";
import { Chip } from "../../ui/chip.tsx";
import kit from "../../ui/kit.module.css";
import { Facts, Stack } from "../../ui/panel.tsx";
import { usualCreditsPerUsd } from "./badge-queries.ts";
import styles from "./badges.module.css";
import type { Outcome } from "./evaluator.ts";

const words = badges.look;

export function labelOf(outcome: Outcome | null, creditsPerUsd = usualCreditsPerUsd): string | null {
  return outcome?.kind === "value" && outcome.value !== null ? badgeLabel(outcome.value, { creditsPerUsd }) : null;
}

export function wrongOf(outcome: Outcome): string | null {
  if (outcome.kind === "late") return words.late;
  if (outcome.kind === "failed") return `${outcome.code}: ${outcome.message}`;
  return outcome.wrong;
}

export function BadgePill({ outcome }: { readonly outcome: Outcome | null }): ReactNode {
  if (outcome === null) return <span className={kit.soft}>…</span>;
  const label = labelOf(outcome);
  if (label !== null) return <Pill label={label} />;
  return (
    <Chip tone="warn" icon={outcome.kind === "late" ? Timer : CircleAlert} title={wrongOf(outcome) ?? ""}>
      {outcome.kind === "late" ? words.late : badges.noBadge}
    </Chip>
  );
}

function Pill({ label }: { readonly label: string }): ReactNode {
  return (
    <span className={styles.pill}>
      <Coins aria-hidden="true" /> {label}
    </span>
  );
}

export function BadgeLook({
  outcome,
  nodeId,
}: {
  readonly outcome: Outcome | null;
  readonly nodeId: string;
}): ReactNode {
  const value = outcome?.kind === "value" ? outcome.value : null;
  const wrong = outcome === null ? null : wrongOf(outcome);
  const labels =
    value === null
      ? null
      : [badgeLabel(value, { creditsPerUsd: usualCreditsPerUsd }), badgeLabel(value, { currency: "USD" })];
  return (
    <Stack>
      <div className={styles.looks}>
        {(["light", "dark"] as const).map((scheme) => (
          <figure key={scheme} className={styles.canvas} style={{ colorScheme: scheme }}>
            <div className={styles.node}>
              <strong>{nodeId || words.yourNode}</strong>
              {labels ? labels.map((label) => <Pill key={label} label={label} />) : <small>{badges.noBadge}</small>}
            </div>
            <figcaption>{scheme === "light" ? words.light : words.dark}</figcaption>
          </figure>
        ))}
      </div>
      <div role="status" className={styles.verdict}>
        {wrong === null ? null : (
          <Chip tone={outcome?.kind === "late" ? "warn" : "bad"} icon={outcome?.kind === "late" ? Timer : CircleAlert}>
            {outcome?.kind === "late" ? words.lateVerdict : words.nothingDrawn}
          </Chip>
        )}
        {wrong === null || outcome?.kind === "late" ? null : <p>{wrong}</p>}
        {outcome?.kind === "late" ? <p>{words.lateText}</p> : null}
      </div>
      {value === null ? null : (
        <Facts
          of={[
            [words.kind, <code key="kind">{value.type}</code>],
            ...(value.type !== "text" && value.format !== undefined
              ? ([[words.format, <code key="format">{JSON.stringify(value.format)}</code>]] as const)
              : []),
          ]}
        />
      )}
      {outcome?.kind === "value" ? (
        <pre className={styles.raw}>
          {outcome.raw === undefined ? "undefined" : JSON.stringify(outcome.raw, null, 2)}
        </pre>
      ) : null}
    </Stack>
  );
}
