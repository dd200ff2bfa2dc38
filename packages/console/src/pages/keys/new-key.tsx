// Creates a key: one dialog asks for it, the next shows it once. The key is only in this component's state; closing the dialog
// forgets it.
import type { CreatedAccountKey } from "@atelier/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, LoaderCircle } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
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
      title={made === null ? "New API key" : `“${made.name}” is ready`}
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
  { value: "", label: "Never" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
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
      action="Create key"
      isBusy={create.isPending}
      fault={create.error}
      onCancel={props.onCancel}
      onSubmit={() => {
        setAsked(true);
        if (Object.values(wrong).every((words) => words === null)) create.mutate();
      }}
    >
      <TextField
        label="Name"
        hint="What is it for? “CI of the website”, “Ada's laptop”."
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
          label="Expires"
          choices={expiries}
          value={draft.days}
          onChange={(event) => change({ days: event.target.value })}
        />
        <TextField
          label="Credits a month, at most"
          inputMode="decimal"
          autoComplete="off"
          placeholder="No cap"
          disabled={!isOwner}
          hint={isOwner ? undefined : "Caps are set by owners of the workspace."}
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
      <legend>May reach</legend>
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
    name: name.trim() === "" ? "Give it a name: you will want to know which key to revoke." : null,
    scopes: chosen.length === 0 ? "A key that reaches nothing is of no use: choose at least one." : null,
    month: month === "" || amount.test(month) ? null : "An amount of credits such as 25 or 0.5, or nothing for no cap.",
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
    toastFault(thrown, "The key is made, and its cap is not set"),
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
        <strong>Copy it now.</strong> It is not stored: after this panel closes it is shown nowhere.
      </p>
      <div ref={copy}>
        <ShownOnce label="The key" text={made.secret} copyLabel="Copy key" look="primary" />
      </div>
      <ShownOnce label="For a .env file" text={`ATELIER_API_KEY=${made.secret}`} copyLabel="Copy line" />
      <SnippetTabs
        label="First call"
        labelOf={() => "A first call"}
        shown={firstCallLanguages}
        chosen={tab}
        onChoose={setTab}
        wrap
        code={firstCall[tab]({ base, key: made.secret, hasModels: made.scopes.includes("models") })}
      />
      <FirstCall keyId={made.id} />
      <DialogFoot>
        <Button look="primary" onClick={onClose}>
          Done, I have it
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
      {isUsed ? "The first call arrived. It works." : "Waiting for the first call…"}
      {!isUsed && error ? ` (${asFault(error).message})` : null}
    </p>
  );
}
