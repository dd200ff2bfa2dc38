// A run from the history: what it made, and the way back to its request.
import type { PlaygroundRun } from "@atelier/sdk";
import { useQueries, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { models } from "#strings/models";
import { shared } from "#strings/shared";
import { atelier } from "../../api/atelier.ts";
import { forgetRun } from "../../api/model-calls/playground-runs.ts";
import { Button } from "../../ui/button.tsx";
import { Ago, formatCredits } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Skeleton } from "../../ui/states.tsx";
import { toastFault } from "../../ui/toast-store.ts";
import { kindOf } from "../../ui/viewers/found-media.ts";
import { MediaView } from "../../ui/viewers/media-view.tsx";
import styles from "./history.module.css";
import model from "./model.module.css";
import { OutputTools, type OutputUse } from "./output-tools.tsx";
import { RequestLink } from "./request-link.tsx";

const words = models.history;

export function ReopenedRun(props: {
  readonly run: PlaygroundRun;
  readonly use: OutputUse;
  readonly onClose: () => void;
}): ReactNode {
  const { run } = props;
  const assets = useQueries({
    queries: run.asset_ids.map((id) => ({
      queryKey: ["asset", id],
      queryFn: () => atelier.assets.get(id),
      staleTime: 600_000,
      retry: false,
    })),
  });
  const client = useQueryClient();
  const remove = async () => {
    await forgetRun(run.id).catch((thrown) => toastFault(thrown, words.removing));
    await client.invalidateQueries({ queryKey: ["playground runs"] });
    props.onClose();
  };
  return (
    <div className={styles.reopened} data-run={run.id}>
      {run.asset_ids.length === 0 ? <p className={kit.soft}>{words.noOutputs}</p> : null}
      <div className={model.media} data-many={assets.length > 1}>
        {assets.map(({ data, isError }, at) => {
          const id = run.asset_ids[at] ?? "";
          if (isError)
            return (
              <p key={id} className={kit.soft}>
                {words.gone}
              </p>
            );
          if (data === undefined) return <Skeleton key={id} height="16rem" />;
          const name = data.file_path ?? `${id}`;
          return (
            <OutputTools
              key={id}
              src={data.url}
              name={name}
              kind={kindOf(data.content_type)}
              assetId={id}
              use={props.use}
            >
              <MediaView
                src={data.url}
                kind={kindOf(data.content_type)}
                alt={models.answer.alt(at + 1, run.model)}
                name={name}
                bytes={data.size_bytes}
              />
            </OutputTools>
          );
        })}
      </div>
      <div className={kit.actions}>
        <span className={kit.soft}>
          <Ago at={run.at} />
          {run.credits === null || Number(run.credits) === 0 ? "" : ` · ${shared.credits(formatCredits(run.credits))}`}
        </span>
        {run.request_id === null ? null : <RequestLink id={run.request_id} />}
        <Button small look="quiet" onClick={() => void remove()}>
          <Trash2 aria-hidden="true" />
          {words.remove}
        </Button>
      </div>
    </div>
  );
}
