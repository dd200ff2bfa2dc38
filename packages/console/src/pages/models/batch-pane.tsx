// Four runs of one input that differ in the seed only.
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { models } from "#strings/models";
import { shared } from "#strings/shared";
import type { Lane, Lanes } from "../../api/model-calls/lanes.ts";
import { Button } from "../../ui/button.tsx";
import { formatCredits, formatDuration } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import styles from "./history.module.css";
import { LaneStage } from "./lane-stage.tsx";
import model from "./model.module.css";
import type { OutputUse } from "./output-tools.tsx";
import { RequestLink } from "./request-link.tsx";
import type { SeedField } from "./seeds.ts";

const words = models.batch;

export function BatchPane(props: {
  readonly lanes: Lanes;
  readonly seed: SeedField | null;
  readonly use: OutputUse;
  readonly onInput: (lane: Lane) => void;
  readonly onKept: (lane: Lane, assetIds: readonly string[]) => void;
}): ReactNode {
  const { lanes, seed } = props;
  return (
    <section className={model.result} aria-label={words.label}>
      <div className={model.stage} data-full="true">
        <div className={styles.lanes}>
          {Object.entries(lanes.of).map(([id, lane], at) => (
            <section key={id} className={styles.lane} aria-label={words.one(at + 1)} data-phase={lane.phase}>
              <LaneStage
                lane={lane}
                use={props.use}
                onStop={() => lanes.stop(id)}
                onCollect={() => lanes.collect(id)}
                onKept={(assetIds) => props.onKept(lane, assetIds)}
              />
              <LaneFacts lane={lane} />
              {seed === null || lane.phase !== "done" ? null : (
                <Button small look="quiet" onClick={() => props.onInput(lane)}>
                  {models.tools.takeSeed(String(lane.call.input[seed.name]))}
                </Button>
              )}
            </section>
          ))}
        </div>
      </div>
      <div className={model.resultFoot}>
        <div className={kit.actions}>
          <Button small look="quiet" onClick={lanes.clear} why={lanes.isRunning ? models.runBar.isRunning : null}>
            <X aria-hidden="true" />
            {words.close}
          </Button>
        </div>
      </div>
    </section>
  );
}

function LaneFacts({ lane }: { readonly lane: Lane }): ReactNode {
  if (lane.phase === "done")
    return (
      <div className={kit.actions}>
        <span>{formatDuration(lane.ms)}</span>
        <span>
          {Number(lane.result.creditsUsed ?? 0) === 0
            ? models.free
            : shared.credits(formatCredits(lane.result.creditsUsed))}
        </span>
        {lane.result.requestId ? <RequestLink id={lane.result.requestId} /> : null}
      </div>
    );
  return lane.phase === "failed" && lane.fault.requestId ? <RequestLink id={lane.fault.requestId} /> : null;
}
