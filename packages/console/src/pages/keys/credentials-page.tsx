// The workspace's own credentials at providers: set, replace, remove. They are never shown again.
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, LockKeyhole, Plus, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { credentials as words } from "#strings/credentials";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { readQuery } from "../../api/read-query.ts";
import { Button } from "../../ui/button.tsx";
import { ChangeForm } from "../../ui/calls/change-form.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { useField } from "../../ui/calls/use-draft.ts";
import { Chip } from "../../ui/chip.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { PageHead, Panel, Stack } from "../../ui/panel.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./keys.module.css";

const listQuery = readQuery(["provider-credentials"], operations.listProviderCredentials);
const key = listQuery.queryKey;

export function CredentialsPage(): ReactNode {
  // The provider whose credential is being entered; empty for one still to be named.
  const [entered, setEntered] = useState<string | null>(null);
  const [removed, setRemoved] = useState<string | null>(null);
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <Button does={operations.putProviderCredential} look="primary" onClick={() => setEntered("")}>
          <Plus aria-hidden="true" />
          {words.add}
        </Button>
      </PageHead>
      <Stack>
        <CredentialList onAdd={() => setEntered("")} onReplace={setEntered} onRemove={setRemoved} />
        <Meaning />
      </Stack>
      <EnterCredential provider={entered} onClose={() => setEntered(null)} />
      <RemoveCredential provider={removed} onClose={() => setRemoved(null)} />
    </>
  );
}

function CredentialList(props: {
  readonly onAdd: () => void;
  readonly onReplace: (provider: string) => void;
  readonly onRemove: (provider: string) => void;
}): ReactNode {
  const { data: listed, error, refetch } = useQuery(listQuery);
  if (listed === undefined) return <Pending fault={error} retry={refetch} height="17.25rem" />;
  const { data } = listed;
  if (data.length === 0)
    return (
      <Panel>
        <Empty
          icon={LockKeyhole}
          title={words.none}
          actions={
            <Button does={operations.putProviderCredential} onClick={props.onAdd}>
              {words.addFirst}
            </Button>
          }
        >
          {words.noneText}
        </Empty>
      </Panel>
    );
  return (
    <ul className={styles.cards}>
      {data.map((each) => (
        <li key={each.provider} className={styles.card}>
          <div className={styles.cardHead}>
            <h2>{each.provider}</h2>
            {each.is_used ? (
              <Chip tone="ok" icon={CircleCheck}>
                {words.inUse}
              </Chip>
            ) : (
              <Chip tone="warn" icon={TriangleAlert}>
                {words.notInUse}
              </Chip>
            )}
          </div>
          <p className={kit.soft}>{each.is_used ? words.inUseText : words.notInUseText}</p>
          <div className={styles.hosts}>
            <Rich text={words.hosts} hosts={<code>{each.hosts.join(", ")}</code>} />
          </div>
          <div className={kit.soft}>
            <Rich text={words.updated} time={<Ago at={each.updated_at} />} />
          </div>
          <div className={kit.actions}>
            <Button does={operations.putProviderCredential} small onClick={() => props.onReplace(each.provider)}>
              {words.replace}
            </Button>
            <Button
              does={operations.deleteProviderCredential}
              small
              look="danger"
              onClick={() => props.onRemove(each.provider)}
            >
              {words.remove}
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Meaning(): ReactNode {
  return (
    <Panel title={words.about.title}>
      <ul className={styles.meaning}>
        <li>
          <Rich text={words.about.prices} name={<strong>{words.about.pricesName}</strong>} />
        </li>
        <li>
          <Rich text={words.about.models} name={<strong>{words.about.modelsName}</strong>} />
        </li>
        <li>
          <Rich text={words.about.safety} name={<strong>{words.about.safetyName}</strong>} />
        </li>
        <li>
          <Rich text={words.about.ending} name={<strong>{words.about.endingName}</strong>} />
        </li>
      </ul>
    </Panel>
  );
}

function EnterCredential(props: { readonly provider: string | null; readonly onClose: () => void }): ReactNode {
  const { provider, onClose } = props;
  return (
    <Dialog
      title={provider ? words.enter.replace(provider) : words.enter.add}
      isOpen={provider !== null}
      onClose={onClose}
    >
      {provider === null ? null : <CredentialForm known={provider} onClose={onClose} />}
    </Dialog>
  );
}

function CredentialForm({ known, onClose }: { readonly known: string; readonly onClose: () => void }): ReactNode {
  const [provider, providerField] = useField(known);
  const [credential, credentialField] = useField("");
  const takers = useQuery(listQuery).data?.providers ?? [];
  const isReady = provider.trim() !== "" && credential.trim().length >= 8;
  return (
    <ChangeForm
      action={words.enter.action}
      why={isReady ? null : words.enter.why}
      change={() =>
        call(operations.putProviderCredential, {
          params: { provider: provider.trim() },
          json: { credential: credential.trim() },
        })
      }
      stale={[key]}
      said={() => words.enter.saved(provider.trim())}
      onClose={onClose}
    >
      {known === "" ? (
        <SelectField
          label={words.enter.provider}
          hint={words.enter.providerHint}
          required
          choices={[{ value: "", label: words.enter.choose }, ...takers.map((name) => ({ value: name, label: name }))]}
          {...providerField}
        />
      ) : null}
      <TextField
        label={words.enter.key}
        type="password"
        required
        spellCheck={false}
        hint={words.enter.keyHint}
        autoComplete="off"
        {...credentialField}
      />
    </ChangeForm>
  );
}

function RemoveCredential(props: { readonly provider: string | null; readonly onClose: () => void }): ReactNode {
  const { provider, onClose } = props;
  const remove = useChange({
    change: (name: string) => call(operations.deleteProviderCredential, { params: { provider: name } }),
    stale: [key],
    said: (_, name) => words.removal.done(name),
    after: onClose,
    failed: words.removal.failed,
  });
  return (
    <Confirm
      title={words.removal.title(provider ?? "")}
      isOpen={provider !== null}
      onClose={onClose}
      action={words.removal.action}
      isBusy={remove.isPending}
      onConfirm={() => provider !== null && remove.mutate(provider)}
    >
      {words.removal.text}
    </Confirm>
  );
}
