// Findings, each with the way to its line; and the trial against a stand-in.
import { Check, CircleAlert, FlaskConical } from "lucide-react";
import { type ReactNode, useState } from "react";
import { definitions as words } from "#strings/operators/definitions";
import type { DefinitionCheck, DefinitionFinding } from "../../../api/admin.ts";
import { operations } from "../../../api/operations.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { CodeBlock } from "../../../ui/copy.tsx";
import { SelectField } from "../../../ui/fields.tsx";
import { keyed } from "../../../ui/keyed.ts";
import kit from "../../../ui/kit.module.css";
import { Panel, Stack } from "../../../ui/panel.tsx";
import { FaultNote } from "../../../ui/states.tsx";
import styles from "./definitions.module.css";
import { liveCall } from "./snippets.ts";
import type { Texts, useTrial } from "./use-definition.ts";

export type GoTo = (finding: DefinitionFinding) => void;

export function Format(props: {
  readonly check: DefinitionCheck | undefined;
  readonly isCurrent: boolean;
  // Why the person may have nothing checked.
  readonly mayNot: string | null;
  readonly fault: unknown;
  readonly goTo: GoTo;
}): ReactNode {
  const { check, isCurrent, mayNot, fault, goTo } = props;
  const verdict = mayNot === null ? <Verdict check={check} isCurrent={isCurrent} /> : null;
  return (
    <Panel title={words.format} actions={verdict}>
      <Stack>
        {mayNot === null ? null : <p className={kit.hint}>{mayNot}</p>}
        {fault ? <FaultNote fault={fault} /> : null}
        <Findings of={check?.findings ?? []} goTo={goTo} />
        {check && check.prices.length > 0 ? (
          <details className={styles.prices}>
            <summary>{words.prices}</summary>
            <dl>
              {check.prices.map(({ model, usd, example_usd }) => (
                <div key={model}>
                  <dt>
                    <code>{model}</code>
                  </dt>
                  <dd>{words.price(usd, example_usd)}</dd>
                </div>
              ))}
            </dl>
          </details>
        ) : null}
      </Stack>
    </Panel>
  );
}

function Verdict({ check, isCurrent }: { readonly check: DefinitionCheck | undefined; readonly isCurrent: boolean }) {
  const count = check?.findings.length ?? 0;
  return (
    <span role="status">
      {check === undefined || !isCurrent ? (
        <Chip>{words.checking}</Chip>
      ) : (
        <Chip tone={count === 0 ? "ok" : "bad"} icon={count === 0 ? Check : CircleAlert}>
          {count === 0 ? words.ok : words.count(count)}
        </Chip>
      )}
    </span>
  );
}

function Findings({ of, goTo }: { readonly of: readonly DefinitionFinding[]; readonly goTo: GoTo }): ReactNode {
  if (of.length === 0) return null;
  return (
    <ul className={styles.findings}>
      {keyed(of, ({ path, line, message }) => `${path} ${line} ${message}`).map(([key, finding]) => (
        <li key={key} data-finding={finding.path}>
          <Button
            small
            look="quiet"
            aria-label={words.goTo(finding.line, words.tabs[finding.in].toLowerCase())}
            onClick={() => goTo(finding)}
          >
            {words.line(finding.line)}
          </Button>
          <div>
            {finding.model === null && finding.case === null ? null : (
              <div className={kit.soft}>
                {[finding.model, finding.case].filter((part) => part !== null).join(" · ")}
              </div>
            )}
            {finding.message}
          </div>
        </li>
      ))}
    </ul>
  );
}

export function TrialPanel(props: {
  readonly texts: Texts;
  readonly models: readonly string[];
  readonly trial: ReturnType<typeof useTrial>;
  readonly why: string | null;
  readonly goTo: GoTo;
}): ReactNode {
  const { texts, models, trial, goTo } = props;
  const [chosen, setChosen] = useState("");
  const model = models.includes(chosen) ? chosen : "";
  const why = texts.fixtures.trim() === "" ? words.needsFixtures : props.why;
  const found = trial.data;
  return (
    <Panel title={words.trial}>
      <Stack>
        <p className={kit.soft}>{words.trialLead}</p>
        <div className={styles.try}>
          <SelectField
            label={words.model}
            value={model}
            choices={[{ value: "", label: words.allModels }, ...models.map((name) => ({ value: name, label: name }))]}
            onChange={({ target }) => setChosen(target.value)}
          />
          <Button
            does={operations.checkProviderDefinition}
            why={why}
            disabled={trial.isPending}
            onClick={() => trial.mutate({ texts, model: model === "" ? null : model })}
          >
            <FlaskConical aria-hidden="true" />
            {trial.isPending ? words.running : words.run}
          </Button>
        </div>
        {trial.error ? <FaultNote fault={trial.error} /> : null}
        {found ? (
          <div role="status" className={kit.stack}>
            <div className={kit.actions}>
              <Chip
                tone={found.check.findings.length === 0 ? "ok" : "bad"}
                icon={found.check.findings.length === 0 ? Check : CircleAlert}
              >
                {found.check.findings.length === 0 ? words.passed : words.count(found.check.findings.length)}
              </Chip>
              <span className={kit.soft}>
                {words.cases(found.check.cases)}
                {found.texts.definition === texts.definition && found.texts.fixtures === texts.fixtures
                  ? null
                  : ` · ${words.stale}`}
              </span>
            </div>
            <Findings of={found.check.findings} goTo={goTo} />
          </div>
        ) : null}
      </Stack>
    </Panel>
  );
}

export function LiveCall({ provider }: { readonly provider: string }): ReactNode {
  return (
    <Panel title={words.live}>
      <Stack>
        <p className={kit.soft}>{words.liveLead}</p>
        <CodeBlock wrap label={words.live} code={liveCall(provider)} />
      </Stack>
    </Panel>
  );
}
