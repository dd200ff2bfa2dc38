// Write a badge and see it: the text, a node's state, what clients draw, the cases it must keep. Everything is computed in this
// browser; only operators send something, when they try or publish.

import type { Badge } from "@atelier/sdk";
import { badgeContext } from "@atelier/sdk/badges";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { badges } from "#strings/badges";
import { classNamesQuery, useClasses } from "../../api/classes.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Panel, Stack } from "../../ui/panel.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { BadgeLook, labelOf } from "./badge-look.tsx";
import { latest, mapQuery } from "./badge-queries.ts";
import { badgeText, rangeInText, readBadgeText } from "./badge-text.ts";
import styles from "./badges.module.css";
import { type Draft, emptyState, exampleDraft, inputsOf, keepDraft, type NodeState, readDraft } from "./draft.ts";
import type { Outcome, Task } from "./evaluator.ts";
import { PublishBadge } from "./publish-badge.tsx";
import { StateFields } from "./state-fields.tsx";
import { TestCases } from "./test-cases.tsx";
import { useOutcomes } from "./use-outcomes.ts";
import { VersionMatrix } from "./version-matrix.tsx";

const words = badges.previewer;

const Editor = lazy(() =>
  import("../../ui/json-editor/json-editor.tsx").then(({ JsonEditor }) => ({ default: JsonEditor })),
);

export function Previewer(): ReactNode {
  const { node = "" } = useSearch({ from: "/console/badges" });
  const navigate = useNavigate();
  const [draft, setDraft] = useDraft(node);
  const read = readBadgeText(draft.text);
  // While the text cannot be parsed, the last valid badge stays on the page.
  const known = useRef(read.badge);
  if (read.badge !== null) known.current = read.badge;
  const badge = known.current;
  const states = [draft.state, ...draft.cases.map(({ state }) => state)];
  const tasks: Task[] = badge === null ? [] : states.map((state) => ({ badge, state: inputsOf(state) }));
  const [outcome = null, ...ofCases] = useOutcomes(tasks);
  const problem = read.wrong ?? null;
  return (
    <Stack>
      <div className={styles.top}>
        <TextField
          label={badges.node}
          hint={words.nodeHint}
          placeholder={words.nodePlaceholder}
          spellCheck={false}
          value={node}
          onChange={(event) =>
            navigate({
              to: "/console/badges",
              search: { tab: "preview", ...(event.target.value === "" ? {} : { node: event.target.value }) },
              replace: true,
            })
          }
        />
        <Button onClick={() => setDraft(exampleDraft)}>{words.example}</Button>
      </div>
      <div className={styles.columns}>
        <Panel flush title={words.badge} className={styles.editorPanel}>
          <div className={styles.editor}>
            <Suspense fallback={<Skeleton height="22rem" />}>
              <Editor
                label={words.editor}
                text={draft.text}
                onChange={(text) => setDraft({ ...draft, text })}
                problems={problemsOf(draft.text, read.badge === null ? null : outcome)}
              />
            </Suspense>
          </div>
          <Wrong problem={problem ?? syntaxProblem(outcome)} />
        </Panel>
        <StatePanel
          nodeId={node}
          badge={badge}
          state={draft.state}
          onChange={(state) => setDraft({ ...draft, state })}
        />
        <Panel title={words.asDrawn}>
          <BadgeLook outcome={outcome} nodeId={node} />
        </Panel>
      </div>
      {badge === null ? null : (
        <>
          <TestCases
            badge={badge}
            cases={draft.cases}
            outcomes={ofCases}
            onChange={(cases) => setDraft({ ...draft, cases })}
            onAdd={() => setDraft({ ...draft, cases: [...draft.cases, caseOf(draft, outcome)] })}
          />
          <div className={styles.pair}>
            <VersionMatrix nodeId={node} badge={badge} state={draft.state} />
            <PublishBadge nodeId={node} badge={badge} cases={draft.cases.map(({ state }) => inputsOf(state))} />
          </div>
        </>
      )}
    </Stack>
  );
}

function StatePanel(props: {
  readonly nodeId: string;
  readonly badge: Badge | null;
  readonly state: NodeState;
  readonly onChange: (state: NodeState) => void;
}): ReactNode {
  const { badge, state } = props;
  const choices = useChoices(props.nodeId, badge);
  return (
    <Panel title={words.state}>
      {badge === null ? (
        <p className={kit.soft}>{words.stateFromBadge}</p>
      ) : (
        <Stack>
          <StateFields dependsOn={badge.depends_on} {...{ state, choices }} onChange={props.onChange} />
          <div>
            <Heading className={styles.small}>{words.context}</Heading>
            <pre className={styles.raw} data-context>
              {JSON.stringify(badgeContext(badge.depends_on, inputsOf(state)), null, 2)}
            </pre>
          </div>
        </Stack>
      )}
    </Panel>
  );
}

// What the node's own lists offer, if this server has its class. Asked for only once a whole name was typed.
function useChoices(nodeId: string, badge: Badge | null): ReadonlyMap<string, readonly string[]> {
  const hasList = badge?.depends_on.widgets.some(({ type }) => type === "COMBO") === true;
  const { data: names = [] } = useQuery({ ...classNamesQuery, enabled: hasList && nodeId !== "" });
  const { classes } = useClasses(hasList && names.includes(nodeId) ? [nodeId] : []);
  return new Map(
    (classes.get(nodeId)?.inputs ?? []).map(({ name, choices }) => [name, (choices ?? []).map(String)] as const),
  );
}

const caseOf = ({ state }: Draft, outcome: Outcome | null) => ({
  id: crypto.randomUUID(),
  state,
  expected: labelOf(outcome) ?? "",
});

// The draft of this tab; or, if the address names a node with a badge, that badge with a fresh state.
function useDraft(node: string): readonly [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(readDraft);
  const [asked] = useState(node);
  const { data } = useQuery({ ...mapQuery(latest, "cloud"), enabled: asked !== "" });
  const loaded = useRef(false);
  useEffect(() => {
    if (loaded.current || data === undefined || asked === "") return;
    // Only once: publishing from here later must not remove the cases.
    loaded.current = true;
    const badge = Object.hasOwn(data.badges, asked) ? data.badges[asked] : undefined;
    if (badge === undefined) return;
    const text = badgeText(badge);
    setDraft((before) => (before.text === text ? before : { text, state: emptyState, cases: [] }));
  }, [data, asked]);
  useEffect(() => keepDraft(draft), [draft]);
  return [draft, setDraft];
}

function Wrong({ problem }: { readonly problem: string | null }): ReactNode {
  return (
    <div role="status" className={styles.wrong} data-any={problem !== null}>
      {problem ?? words.compiles}
    </div>
  );
}

const syntaxProblem = (outcome: Outcome | null): string | null =>
  outcome?.kind === "failed" ? `${outcome.code}: ${outcome.message}` : null;

function problemsOf(text: string, outcome: Outcome | null) {
  if (outcome?.kind !== "failed" || outcome.position === null) return [];
  const range = rangeInText(text, outcome.position, outcome.token);
  return range === null ? [] : [{ ...range, message: outcome.message }];
}
