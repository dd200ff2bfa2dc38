// What this person ran with this model: a picture, the words, the price. One click brings input and outputs back.
import type { PlaygroundRun } from "@atelier/sdk";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import { type ReactNode, useState } from "react";
import { models } from "#strings/models";
import { shared } from "#strings/shared";
import { forgetRuns, inputOfRun, playgroundRunsQuery, wordsOfInput } from "../../api/model-calls/playground-runs.ts";
import { Button } from "../../ui/button.tsx";
import { Ago, formatCredits } from "../../ui/figures.tsx";
import { Thumb } from "../../ui/thumb.tsx";
import { toastFault } from "../../ui/toast-store.ts";
import styles from "./history.module.css";

const words = models.history;

export function HistoryStrip(props: {
  readonly model: string;
  readonly opened: PlaygroundRun | null;
  readonly onOpen: (run: PlaygroundRun) => void;
}): ReactNode {
  const { data } = useQuery(playgroundRunsQuery(props.model));
  const client = useQueryClient();
  const [isSure, setSure] = useState(false);
  if (data === undefined || data.length === 0) return null;
  const clear = async () => {
    if (!isSure) return setSure(true);
    setSure(false);
    await forgetRuns().catch((thrown) => toastFault(thrown, words.clearing));
    await client.invalidateQueries({ queryKey: ["playground runs"] });
  };
  return (
    <section className={styles.history} aria-label={words.title}>
      <div className={styles.head}>
        <h2>{words.title}</h2>
        <Button small look="quiet" onClick={() => void clear()} onBlur={() => setSure(false)}>
          {isSure ? words.clearSure : words.clear}
        </Button>
      </div>
      <ul className={styles.list}>
        {data.map((run) => (
          <li key={run.id}>
            <button
              type="button"
              className={styles.run}
              aria-pressed={run.id === props.opened?.id}
              onClick={() => props.onOpen(run)}
            >
              <RunPicture run={run} />
              <span className={styles.words}>{wordsOfInput(inputOfRun(run)) || words.noText}</span>
              <span className={styles.facts}>
                {priceOf(run)} · <Ago at={run.at} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function RunPicture({ run }: { readonly run: PlaygroundRun }): ReactNode {
  const [assetId] = run.asset_ids;
  return assetId === undefined ? (
    <span className={styles.none}>
      <Sparkles aria-hidden="true" />
    </span>
  ) : (
    <Thumb assetId={assetId} alt="" size={112} />
  );
}

const priceOf = ({ credits }: PlaygroundRun): string =>
  credits === null || Number(credits) === 0 ? models.free : shared.credits(formatCredits(credits));
