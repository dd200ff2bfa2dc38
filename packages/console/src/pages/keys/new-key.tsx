// Creates a key: one dialog asks for it, the next shows it once. The key is only in this component's state; closing the dialog
// forgets it.
import type { CreatedAccountKey } from "@atelier/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, LoaderCircle } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { keys as words } from "#strings/keys";
import { accountQuery } from "../../api/account.ts";
import { call } from "../../api/client.ts";
import { configQuery } from "../../api/config.ts";
import { asFault } from "../../api/fault.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFoot } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { CheckField, SelectField, TextField } from "../../ui/fields.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { baseOf } from "../../ui/snippets/clients.ts";
import { SnippetTabs } from "../../ui/snippets/snippet-tabs.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { toastFault } from "../../ui/toast.tsx";
import { type FirstCallLanguage, firstCall, firstCallLanguages } from "./first-call.ts";
import { keysQuery, type ScopeName, scopes } from "./key-queries.ts";
import styles from "./keys.module.css";

export function NewKey({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  const [made, setMade] = useState<CreatedAccountKey | null>(null);
  const close = () => {
    setMade(null);
    onClose();
  };
  return (
    <Dialog
      title={made === null ? words.create.title : words.ready.title(made.name)}
      isOpen={isOpen || made !== null}
      onClose={close}
    >
      {made === null ? <KeyForm onMade={setMade} onCancel={close} /> : <ReadyKey made={made} onClose={close} />}
    </Dialog>
  );
}

interface Draft {
  readonly name: string;
  readonly scopes: readonly ScopeName[];
  readonly days: string;
  readonly month: string;
}

const usual: readonly ScopeName[] = ["models", "partners", "workflows", "registry"];
const expiries = [
  { value: "", label: words.create.expiries.never },
  { value: "7", label: words.create.expiries.days(7) },
  { value: "30", label: words.create.expiries.days(30) },
  { value: "90", label: words.create.expiries.days(90) },
  { value: "365", label: words.create.expiries.year },
];
const dayMs = 86_400_000;
const amount = /^\d{1,12}(\.\d{1,6})?$/;

function KeyForm(props: { readonly onMade: (key: CreatedAccountKey) => void; readonly onCancel: () => void }) {
  const { data: account } = useQuery(accountQuery);
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Draft>({ name: "", scopes: usual, days: "", month: "" });
  const [isAsked, setAsked] = useState(false);
  const change = (more: Partial<Draft>) => setDraft({ ...draft, ...more });
  const create = useMutation({
    mutationFn: () => createKey(draft),
    onSuccess: (key) => {
      queries.invalidateQueries({ queryKey: keysQuery.queryKey });
      props.onMade(key);
    },
  });
  const wrong = wrongIn(draft);
  const isOwner = account?.role === "owner";
  return (
    <DialogForm
      action={words.create.action}
      isBusy={create.isPending}
      fault={create.error}
      onCancel={props.onCancel}
      onSubmit={() => {
        setAsked(true);
        if (Object.values(wrong).every((each) => each === null)) create.mutate();
      }}
    >
      <TextField
        label={words.create.name}
        hint={words.create.nameHint}
        required
        autoComplete="off"
        maxLength={100}
        value={draft.name}
        wrong={isAsked ? wrong.name : null}
        onChange={(event) => change({ name: event.target.value })}
      />
      <Scopes
        chosen={draft.scopes}
        wrong={isAsked ? wrong.scopes : null}
        onChoose={(chosen) => change({ scopes: chosen })}
      />
      <div className={styles.pair}>
        <SelectField
          label={words.create.expires}
          choices={expiries}
          value={draft.days}
          onChange={(event) => change({ days: event.target.value })}
        />
        <TextField
          label={words.create.month}
          inputMode="decimal"
          autoComplete="off"
          placeholder={words.noCap}
          disabled={!isOwner}
          hint={isOwner ? undefined : words.capsWhy}
          value={draft.month}
          wrong={isAsked ? wrong.month : null}
          onChange={(event) => change({ month: event.target.value })}
        />
      </div>
    </DialogForm>
  );
}

function Scopes(props: {
  readonly chosen: readonly ScopeName[];
  readonly wrong: string | null;
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

export function ReadyKey({
  made,
  onClose,
}: {
  readonly made: CreatedAccountKey;
  readonly onClose: () => void;
}): ReactNode {
  const [tab, setTab] = useState<FirstCallLanguage>("curl");
  const copy = useRef<HTMLDivElement>(null);
  // The focus went away with the form, so we move it to the next step.
  useEffect(() => copy.current?.querySelector("button")?.focus(), []);
  const { data: config } = useQuery(configQuery);
  const base = baseOf(config?.base_url ?? location.origin);
  return (
    <>
      <p>
        <Rich text={words.ready.text} copy={<strong>{words.ready.copyNow}</strong>} />
      </p>
      <div ref={copy}>
        <ShownOnce label={words.ready.key} text={made.secret} copyLabel={words.ready.copyKey} look="primary" />
      </div>
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
      <DialogFoot>
        <Button look="primary" onClick={onClose}>
          {words.ready.done}
        </Button>
      </DialogFoot>
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
