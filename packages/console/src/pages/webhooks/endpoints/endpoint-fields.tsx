// The fields of an endpoint, for a new one and for one that is there.
import type { WebhookEventType } from "@atelier/sdk";
import type { ReactNode } from "react";
import { endpoints } from "#strings/webhooks/endpoints";
import type { useDraft } from "../../../ui/calls/use-draft.ts";
import { classNames } from "../../../ui/class-names.ts";
import { CheckField, TextField } from "../../../ui/fields.tsx";
import kit from "../../../ui/kit.module.css";
import { type EndpointDraft, eventTypes, type Group, groupOf, wrongIn } from "./endpoint-draft.ts";
import styles from "./endpoints.module.css";

const words = endpoints.form;
const groups = Object.keys(endpoints.groups) as Group[];

export function EndpointFields({ of }: { readonly of: ReturnType<typeof useDraft<EndpointDraft>> }): ReactNode {
  const { draft, change, wrong, text } = of;
  // What cannot match is said at once, and what is missing only after a first try.
  const notFor = wrongIn(draft);
  return (
    <>
      <TextField
        label={words.url}
        hint={words.urlHint}
        type="url"
        required
        spellCheck={false}
        maxLength={2048}
        placeholder="https://hooks.example.com/atelier"
        {...text("url")}
      />
      <TextField label={words.description} hint={words.descriptionHint} maxLength={200} {...text("description")} />
      <Events chosen={draft.types} wrong={wrong.types ?? null} onChoose={(types) => change({ types })} />
      <details className={styles.filter} open={draft.tag !== "" || draft.model !== "" || draft.deployment !== ""}>
        <summary>{words.filter}</summary>
        <div className={styles.fields}>
          {(["tag", "model", "deployment"] as const).map((name) => (
            <TextField
              key={name}
              label={words[name]}
              hint={words[`${name}Hint`]}
              spellCheck={false}
              maxLength={300}
              {...text(name)}
              wrong={notFor[name]}
            />
          ))}
        </div>
      </details>
    </>
  );
}

function Events(props: {
  readonly chosen: readonly WebhookEventType[];
  readonly wrong: string | null;
  readonly onChoose: (types: readonly WebhookEventType[]) => void;
}): ReactNode {
  const { chosen, onChoose } = props;
  // In the order of the table, however they were clicked.
  const choose = (types: readonly WebhookEventType[], isChosen: boolean) =>
    onChoose(eventTypes.filter((type) => (types.includes(type) ? isChosen : chosen.includes(type))));
  return (
    <fieldset className={styles.events}>
      <legend className={kit.label}>{words.events}</legend>
      {groups.map((group) => {
        const types = eventTypes.filter((type) => groupOf(type) === group);
        const count = types.filter((type) => chosen.includes(type)).length;
        return (
          <div key={group} className={styles.group}>
            <label className={classNames(kit.check, styles.groupHead)}>
              <input
                type="checkbox"
                ref={(box) => {
                  if (box !== null) box.indeterminate = count > 0 && count < types.length;
                }}
                checked={count === types.length}
                onChange={({ target }) => choose(types, target.checked)}
              />
              <span>{endpoints.groups[group]}</span>
            </label>
            {types.map((type) => (
              <CheckField
                key={type}
                label={
                  <>
                    <code>{type}</code>
                    {endpoints.types[type] === "" ? null : (
                      <span className={styles.means}> {endpoints.types[type]}</span>
                    )}
                  </>
                }
                checked={chosen.includes(type)}
                onChange={({ target }) => choose([type], target.checked)}
              />
            ))}
          </div>
        );
      })}
      {props.wrong === null ? null : (
        <p role="alert" className={styles.wrong}>
          {props.wrong}
        </p>
      )}
    </fieldset>
  );
}
