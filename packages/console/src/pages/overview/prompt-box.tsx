// The first thing on the page: a box to type into, a model beside it, the price before the button, and the result right below.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { WandSparkles } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { overview } from "#strings/overview";
import { type Owner, openDrafts } from "../../api/drafts.ts";
import { useEstimate } from "../../api/model-calls/model-estimate.ts";
import { type Input, useRun } from "../../api/model-calls/model-run.ts";
import { documentQuery } from "../../api/models.ts";
import { balanceQuery } from "../../api/usage.ts";
import { formatCreditRange, formatCredits, formatPrice } from "../../ui/amounts.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/states.tsx";
import styles from "./prompt.module.css";
import { byKind, firstModel, type PromptModel, seedFor } from "./prompt-models.ts";
import { PromptResult } from "./prompt-result.tsx";

const words = overview.prompt;
const noNavigation = () => undefined;

export function PromptBox(props: { readonly models: readonly PromptModel[]; readonly owner: Owner }): ReactNode {
  const { models } = props;
  const drafts = useMemo(() => openDrafts(props.owner), [props.owner]);
  const [id, setId] = useState(() => firstModel(models, drafts.read("home.model")?.value)?.id ?? "");
  const model = models.find((each) => each.id === id) ?? firstModel(models, undefined);
  const [text, setText] = useState(() => String(drafts.read("home.prompt")?.value ?? ""));
  const used = useRef<{ readonly model: PromptModel; readonly input: Input } | null>(null);
  const document = useQuery({ ...documentQuery(model?.id ?? ""), enabled: model !== null });
  const run = useRun(model?.id ?? "", null, noNavigation);
  useFreshFigures(run.state.phase);
  const isRunning = run.state.phase === "running";
  const prompt = text.trim();
  const input = useMemo(() => (model === null ? {} : { [model.prompt_input]: prompt }), [model, prompt]);
  if (model === null) return null;
  const start = () => {
    if (prompt === "" || isRunning) return;
    drafts.write("home.prompt", text);
    used.current = { model, input: { ...input, ...seedFor(document.data?.input) } };
    run.start(used.current.input, { isQueued: false });
  };
  const choose = (next: string) => {
    run.clear();
    setId(next);
    drafts.write("home.model", next);
  };
  return (
    <>
      <form
        className={styles.box}
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <textarea
          className={styles.text}
          aria-label={words.label}
          placeholder={words.placeholder}
          rows={3}
          maxLength={4_000}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => onEnter(event, start)}
        />
        <div className={styles.foot}>
          <ModelChoice models={models} chosen={model} onChoose={choose} />
          <Cost model={model} input={input} isAsked={prompt !== ""} />
          <Button
            type="submit"
            look="primary"
            title={words.shortcut}
            why={isRunning ? words.running : prompt === "" ? words.nothing : null}
          >
            <WandSparkles aria-hidden="true" />
            {isRunning ? words.running : words.run}
          </Button>
        </div>
      </form>
      {run.state.phase === "idle" ? <Ideas onPick={setText} isShown={text === ""} /> : null}
      {used.current === null ? null : (
        <PromptResult run={run} model={used.current.model} input={used.current.input} prompt={prompt} onAgain={start} />
      )}
    </>
  );
}

// Enter runs it; a new line takes Shift. While a word is being composed, Enter only ends it.
function onEnter(event: KeyboardEvent, start: () => void): void {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  start();
}

// A run that ended was charged and counted.
function useFreshFigures(phase: string): void {
  const client = useQueryClient();
  useEffect(() => {
    if (phase !== "done" && phase !== "failed") return;
    void client.invalidateQueries({ queryKey: ["usage"] });
    void client.invalidateQueries({ queryKey: ["credits"] });
  }, [phase, client]);
}

function ModelChoice(props: {
  readonly models: readonly PromptModel[];
  readonly chosen: PromptModel;
  readonly onChoose: (id: string) => void;
}): ReactNode {
  return (
    <select
      className={styles.model}
      aria-label={words.model}
      value={props.chosen.id}
      onChange={({ target }) => props.onChoose(target.value)}
    >
      {byKind(props.models).map(([kind, found]) => (
        <optgroup key={kind} label={words.kinds[kind]}>
          {found.map((model) => (
            <option key={model.id} value={model.id}>
              {model.title ?? model.id}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

// What this prompt costs with this model, and what is left. Until something is typed, the model's price.
function Cost(props: { readonly model: PromptModel; readonly input: Input; readonly isAsked: boolean }): ReactNode {
  const { model } = props;
  const isFree = model.price === "0";
  const { data, error } = useEstimate(model.id, props.input, props.isAsked);
  const balance = useQuery({ ...balanceQuery, enabled: !isFree });
  const available = balance.data?.available;
  const estimate = props.isAsked && !error && data?.model === model.id ? data : undefined;
  const price = estimate
    ? formatCreditRange(estimate.credits.lowest, estimate.credits.highest)
    : formatPrice(model.price);
  const isShort = estimate !== undefined && available !== undefined && Number(estimate.hold) > Number(available);
  return (
    <p className={styles.cost} role="status" aria-label={words.cost}>
      <strong>{price}</strong>
      {isFree || available === undefined ? null : isShort ? (
        <span className={styles.short}>{words.short(formatCredits(available), formatCredits(estimate.hold))}</span>
      ) : (
        <span>{words.balance(formatCredits(available))}</span>
      )}
    </p>
  );
}

// In the place of the box until its models are known, so that nothing below it moves.
export function ComingBox(): ReactNode {
  return (
    <>
      <Skeleton height="9.27rem" />
      <Ideas isShown isComing onPick={noNavigation} />
    </>
  );
}

function Ideas(props: {
  readonly isShown: boolean;
  readonly isComing?: boolean;
  readonly onPick: (text: string) => void;
}): ReactNode {
  if (!props.isShown) return null;
  return (
    <ul className={styles.ideas} aria-label={words.ideasLabel} data-coming={props.isComing}>
      {words.ideas.map((idea) => (
        <li key={idea}>
          <button type="button" onClick={() => props.onPick(idea)}>
            {idea}
          </button>
        </li>
      ))}
    </ul>
  );
}
