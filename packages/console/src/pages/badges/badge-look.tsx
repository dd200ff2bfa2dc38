// A badge as clients draw it, or a few words if there is none.
import { badgeLabel } from "@atelier/sdk/badges";
import { CircleAlert, Coins, Timer } from "lucide-react";
import type { ReactNode } from "react";
import { Chip } from "../../ui/chip.tsx";
import kit from "../../ui/kit.module.css";
import { Facts, Stack } from "../../ui/panel.tsx";
import { usualCreditsPerUsd } from "./badge-queries.ts";
import styles from "./badges.module.css";
import type { Outcome } from "./evaluator.ts";

export const lateWords = "took too long";

export function labelOf(outcome: Outcome | null, creditsPerUsd = usualCreditsPerUsd): string | null {
  return outcome?.kind === "value" && outcome.value !== null ? badgeLabel(outcome.value, { creditsPerUsd }) : null;
}

export function wrongOf(outcome: Outcome): string | null {
  if (outcome.kind === "late") return lateWords;
  if (outcome.kind === "failed") return `${outcome.code}: ${outcome.message}`;
  return outcome.wrong;
}

export function BadgePill({ outcome }: { readonly outcome: Outcome | null }): ReactNode {
  if (outcome === null) return <span className={kit.soft}>…</span>;
  const label = labelOf(outcome);
  if (label !== null) return <Pill label={label} />;
  return (
    <Chip tone="warn" icon={outcome.kind === "late" ? Timer : CircleAlert} title={wrongOf(outcome) ?? ""}>
      {outcome.kind === "late" ? lateWords : "no badge"}
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
              <strong>{nodeId || "Your node"}</strong>
              {labels ? labels.map((label) => <Pill key={label} label={label} />) : <small>no badge</small>}
            </div>
            <figcaption>{scheme === "light" ? "Light" : "Dark"}</figcaption>
          </figure>
        ))}
      </div>
      <div role="status" className={styles.verdict}>
        {wrong === null ? null : (
          <Chip tone={outcome?.kind === "late" ? "warn" : "bad"} icon={outcome?.kind === "late" ? Timer : CircleAlert}>
            {outcome?.kind === "late" ? `The expression ${lateWords}` : "Clients would draw nothing"}
          </Chip>
        )}
        {wrong === null || outcome?.kind === "late" ? null : <p>{wrong}</p>}
        {outcome?.kind === "late" ? (
          <p>It was ended after a quarter of a second. A client that waited would freeze while a widget is turned.</p>
        ) : null}
      </div>
      {value === null ? null : (
        <Facts
          of={[
            ["Kind", <code key="kind">{value.type}</code>],
            ...(value.type !== "text" && value.format !== undefined
              ? ([["Format", <code key="format">{JSON.stringify(value.format)}</code>]] as const)
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
