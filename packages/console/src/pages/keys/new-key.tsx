// Creates a key and shows it once, with the code of a first call.
import type { CreatedAccountKey } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, LoaderCircle } from "lucide-react";
import { type ReactNode, useState } from "react";
import { keys as words } from "#strings/keys";
import { accountQuery, isForMoney } from "../../api/account.ts";
import { call } from "../../api/client.ts";
import { configQuery } from "../../api/config.ts";
import { asFault } from "../../api/fault.ts";
import { operations } from "../../api/operations.ts";
import { useDraft } from "../../ui/calls/use-draft.ts";
import { CheckField, SelectField, TextField } from "../../ui/fields.tsx";
import { SecretDialog, SecretForm, type SecretSteps } from "../../ui/secret-dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { baseOf } from "../../ui/snippets/clients.ts";
import { SnippetTabs } from "../../ui/snippets/snippet-tabs.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { toastFault } from "../../ui/toast.tsx";
import { type FirstCallLanguage, firstCall, firstCallLanguages } from "./first-call.ts";
import { keysQuery, type ScopeName, scopes } from "./key-queries.ts";
import styles from "./keys.module.css";

export function NewKey({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  return (
    <SecretDialog<CreatedAccountKey>
      title={words.create.title}
      readyTitle={({ name }) => words.ready.title(name)}
      isOpen={isOpen}
      onClose={onClose}
      form={(steps) => <KeyForm {...steps} />}
      secret={(made) => <ReadyKey made={made} />}
      done={words.ready.done}
    />
  );
}

interface Draft {
  readonly name: string;
  readonly scopes: readonly ScopeName[];
  readonly days: string;
  readonly month: string;
}

const usual: readonly ScopeName[] = ["models", "partners", "workflows", "registry"];
const empty: Draft = { name: "", scopes: usual, days: "", month: "" };
const expiries = [
  { value: "", label: words.create.expiries.never },
  { value: "7", label: words.create.expiries.days(7) },
  { value: "30", label: words.create.expiries.days(30) },
  { value: "90", label: words.create.expiries.days(90) },
  { value: "365", label: words.create.expiries.year },
];
const dayMs = 86_400_000;
const amount = /^\d{1,12}(\.\d{1,6})?$/;

function KeyForm(steps: SecretSteps<CreatedAccountKey>): ReactNode {
  const { data: account } = useQuery(accountQuery);
  const { draft, change, wrong, text, field, canSubmit } = useDraft(empty, wrongIn);
  const setsCaps = isForMoney(account);
  return (
    <SecretForm
      {...steps}
      action={words.create.action}
      create={() => createKey(draft)}
      changes={keysQuery.queryKey}
      canSubmit={canSubmit}
    >
      <TextField label={words.create.name} hint={words.create.nameHint} required maxLength={100} {...text("name")} />
      <Scopes chosen={draft.scopes} wrong={wrong.scopes} onChoose={(chosen) => change({ scopes: chosen })} />
      <div className={styles.pair}>
        <SelectField label={words.create.expires} choices={expiries} {...field("days")} />
        <TextField
          label={words.create.month}
          inputMode="decimal"
          placeholder={words.noCap}
          disabled={!setsCaps}
          hint={setsCaps ? undefined : words.capsWhy}
          {...text("month")}
        />
      </div>
    </SecretForm>
  );
}

function Scopes(props: {
  readonly chosen: readonly ScopeName[];
  readonly wrong: string | null | undefined;
  readonly onChoose: (chosen: readonly ScopeName[]) => void;
}): ReactNode {
  const toggle = (name: ScopeName, isOn: boolean) =>
    props.onChoose(
      scopes.map((each) => each.name).filter((each) => (each === name ? isOn : props.chosen.includes(each))),
    );
  return (
    <fieldset className={styles.scopes}>
      <legend>{words.create.scopes}</legend>
      {scopes.map(({ name, does }) => (
        <CheckField
          key={name}
          label={
            <>
              <strong>{name}</strong> <span className={styles.does}>{does}</span>
            </>
          }
          checked={props.chosen.includes(name)}
          onChange={(event) => toggle(name, event.target.checked)}
        />
      ))}
      {props.wrong ? (
        <p className={styles.wrong} role="alert">
          {props.wrong}
        </p>
      ) : null}
    </fieldset>
  );
}

function wrongIn({ name, scopes: chosen, month }: Draft) {
  return {
    name: name.trim() === "" ? words.create.nameMissing : null,
    scopes: chosen.length === 0 ? words.create.scopesMissing : null,
    month: month === "" || amount.test(month) ? null : words.amount,
  };
}

// A cap that cannot be set is no reason to lose the key: the key exists, and its cap can be set later.
async function createKey({ name, scopes: chosen, days, month }: Draft): Promise<CreatedAccountKey> {
  const expires_at = days === "" ? null : new Date(Date.now() + Number(days) * dayMs).toISOString();
  const json = { name: name.trim(), scopes: chosen, expires_at };
  const key = await call(operations.createKey, { json });
  if (month === "") return key;
  const caps = { daily_credits_max: null, monthly_credits_max: month };
  await call(operations.setKeyCaps, { params: { keyId: key.id }, json: caps }).catch((thrown: unknown) =>
    toastFault(thrown, words.create.capNotSet),
  );
  return key;
}

export function ReadyKey({ made }: { readonly made: CreatedAccountKey }): ReactNode {
  const [tab, setTab] = useState<FirstCallLanguage>("curl");
  const { data: config } = useQuery(configQuery);
  const base = baseOf(config?.base_url ?? location.origin);
  return (
    <>
      <p>
        <Rich text={words.ready.text} copy={<strong>{words.ready.copyNow}</strong>} />
      </p>
      <ShownOnce label={words.ready.key} text={made.secret} copyLabel={words.ready.copyKey} look="primary" />
      <ShownOnce label={words.ready.env} text={`ATELIER_API_KEY=${made.secret}`} copyLabel={words.ready.copyLine} />
      <SnippetTabs
        label={words.ready.firstCall}
        labelOf={() => words.ready.firstCall}
        shown={firstCallLanguages}
        chosen={tab}
        onChoose={setTab}
        wrap
        code={firstCall[tab]({ base, key: made.secret, hasModels: made.scopes.includes("models") })}
      />
      <FirstCall keyId={made.id} />
    </>
  );
}

// The nicest five seconds: the line turns green when the first call arrives.
function FirstCall({ keyId }: { readonly keyId: string }): ReactNode {
  const { data, error } = useQuery({
    queryKey: ["keys", "first-call", keyId],
    queryFn: async ({ signal }) => {
      const { data: keys } = await call(operations.listKeys, { signal });
      return keys.find(({ id }) => id === keyId)?.last_used_at ?? null;
    },
    refetchInterval: ({ state }) => (state.data ? false : 1_500),
  });
  const isUsed = Boolean(data);
  return (
    <p className={styles.firstCall} data-used={isUsed} role="status">
      {isUsed ? <CircleCheck aria-hidden="true" /> : <LoaderCircle aria-hidden="true" />}
      {isUsed ? words.ready.arrived : words.ready.waiting}
      {!isUsed && error ? words.ready.problem(asFault(error).message) : null}
    </p>
  );
}
