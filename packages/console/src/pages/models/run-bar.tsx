// What a run will cost, how it runs, and the button. The line has its height before the estimate arrives.
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Play } from "lucide-react";
import type { ReactNode } from "react";
import { models as words } from "#strings/models";
import { asFault } from "../../api/fault.ts";
import { useEstimate } from "../../api/model-calls/model-estimate.ts";
import type { Input } from "../../api/model-calls/model-run.ts";
import { operations } from "../../api/operations.ts";
import { balanceQuery } from "../../api/usage.ts";
import { Button } from "../../ui/button.tsx";
import { formatCredits } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { costWords, moreWords, partWords, shortageWords } from "./cost-words.ts";
import type { InputState } from "./input-state.ts";
import styles from "./model.module.css";

export function RunBar(props: {
  readonly model: string;
  readonly input: InputState;
  readonly isRunning: boolean;
  readonly isSound: boolean;
  // How many fields are marked invalid.
  readonly wrong: number;
  readonly onRun: () => void;
  readonly onForce: () => void;
  // Four runs with different seeds.
  readonly onFour: () => void;
}): ReactNode {
  const { how } = useSearch({ from: "/console/models/$provider/$model" });
  const navigate = useNavigate({ from: "/console/models/$provider/$model" });
  const why = props.input.problem ?? (props.isRunning ? words.runBar.isRunning : null);
  const choose = (next: "queued" | undefined) =>
    void navigate({
      search: ({ how: _old, ...now }) => (next === undefined ? now : { ...now, how: next }),
      replace: true,
      resetScroll: false,
    });
  return (
    <div className={styles.runBar}>
      <div className={styles.estimate} role="status" aria-label={words.estimate.label}>
        <EstimateWords
          model={props.model}
          input={props.input.value}
          isAsked={props.isSound && props.input.problem === null}
        />
      </div>
      <fieldset className={styles.how} aria-label={words.runBar.mode}>
        <label>
          <input type="radio" name="how" checked={how !== "queued"} onChange={() => choose(undefined)} />
          {words.runBar.direct}
        </label>
        <label title={words.runBar.queuedHint}>
          <input type="radio" name="how" checked={how === "queued"} onChange={() => choose("queued")} />
          {words.runBar.queued}
        </label>
      </fieldset>
      <div className={styles.runButtons}>
        <Button
          does={operations.invokeModel}
          why={why}
          onClick={props.onFour}
          title={words.runBar.fourHint}
          aria-label={words.runBar.fourHint}
        >
          {words.runBar.four}
        </Button>
        <Button
          does={operations.invokeModel}
          look="primary"
          why={why}
          onClick={props.onRun}
          title={words.runBar.shortcut}
        >
          <Play aria-hidden="true" />
          {props.isRunning ? words.running : words.run}
        </Button>
      </div>
      {props.wrong > 0 && !props.isSound ? (
        <p className={styles.wrongLine}>
          {words.runBar.wrong(props.wrong)}{" "}
          <button type="button" className={styles.textButton} onClick={props.onForce}>
            {words.runBar.sendAnyway}
          </button>
        </p>
      ) : null}
    </div>
  );
}

function EstimateWords(props: { readonly model: string; readonly input: Input; readonly isAsked: boolean }): ReactNode {
  const { data, error } = useEstimate(props.model, props.input, props.isAsked);
  if (!props.isAsked) return <span className={kit.soft}>{words.estimate.incomplete}</span>;
  if (error) return <span className={kit.soft}>{words.estimate.none(asFault(error).message)}</span>;
  if (data === undefined) return <span className={kit.soft}>{words.estimate.busy}</span>;
  return (
    <>
      <strong>{costWords(data)}</strong>
      <span className={kit.soft}>{[partWords(data), moreWords(data)].filter((each) => each !== "").join(" · ")}</span>
      <BalanceWords hold={data.hold} />
    </>
  );
}

// Shown before Run is pressed: a call whose hold exceeds the balance is refused.
function BalanceWords({ hold }: { readonly hold: string }): ReactNode {
  const { data } = useQuery({ ...balanceQuery, enabled: Number(hold) > 0 });
  const shortage = data === undefined ? null : shortageWords(hold, data.available);
  if (data === undefined) return null;
  return shortage === null ? (
    <span className={styles.balance}>{words.estimate.balance(formatCredits(data.available))}</span>
  ) : (
    <span className={styles.shortage}>{shortage}</span>
  );
}
