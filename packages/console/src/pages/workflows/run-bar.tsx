// What people do with an open graph, always in view: run it, see the price, save it.
import { Layers, Play, Save, SaveOff } from "lucide-react";
import type { ReactNode } from "react";
import { workflows as words } from "#strings/workflows";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import kit from "../../ui/kit.module.css";
import type { KeptState } from "./kept-changes.ts";
import styles from "./workflows.module.css";

interface BarProps {
  // Why it cannot run now.
  readonly why: string | null;
  // What it says while it is under way.
  readonly busy: string | null;
  readonly changed: number;
  // How many jobs it submits.
  readonly runs: number;
  readonly estimate: ReactNode;
  readonly kept: KeptState;
  readonly save: ReactNode;
  readonly batch: { readonly isOpen: boolean; onToggle(): void } | null;
  readonly onRun: () => void;
}

export function RunBar(props: BarProps): ReactNode {
  const { why, batch } = props;
  return (
    <section className={styles.bar} aria-label={words.run.title}>
      <Button
        does={operations.submitJob}
        {...(why === null ? { look: "primary" as const } : {})}
        disabled={props.busy !== null}
        why={why}
        onClick={props.onRun}
      >
        <Play aria-hidden="true" />
        {actionOf(props)}
      </Button>
      {batch === null ? null : (
        <Button does={operations.submitJob} aria-expanded={batch.isOpen} onClick={batch.onToggle}>
          <Layers aria-hidden="true" />
          {words.batch.action}
        </Button>
      )}
      {props.estimate}
      <span className={styles.barEnd}>
        <Kept state={props.kept} />
        {props.save}
      </span>
    </section>
  );
}

function actionOf({ busy, runs, changed }: BarProps): string {
  if (busy !== null) return busy;
  if (runs > 1) return words.run.many(runs);
  return changed > 0 ? words.run.withChanges : words.run.action;
}

// Whether a reload would lose what was typed.
function Kept({ state }: { readonly state: KeptState }): ReactNode {
  if (state === "unchanged") return null;
  const isKept = state !== "refused";
  return (
    <span className={kit.soft} role="status" data-kept={state}>
      <span className={styles.kept} title={isKept ? words.kept.hint : words.kept.refusedHint}>
        {isKept ? <Save aria-hidden="true" /> : <SaveOff aria-hidden="true" />}
        {words.kept[state]}
      </span>
    </span>
  );
}
