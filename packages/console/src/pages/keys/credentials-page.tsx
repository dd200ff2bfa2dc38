// The workspace's own credentials at providers: set, replace, remove. They are never shown again.
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, Fingerprint, Plus, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { accountQuery } from "../../api/account.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { SelectField, TextField } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { PageHead, Panel, Stack } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import styles from "./keys.module.css";

const listQuery = queryOptions({
  queryKey: ["provider-credentials"],
  queryFn: ({ signal }) => call(operations.listProviderCredentials, { signal }),
});
const key = listQuery.queryKey;
const why = "Owners of the workspace decide whose account at the provider pays.";

export function CredentialsPage(): ReactNode {
  const { data: account } = useQuery(accountQuery);
  const mayNot = account === undefined || account.role === "owner" ? null : why;
  // The provider whose credential is being entered; empty for one still to be named.
  const [entered, setEntered] = useState<string | null>(null);
  const [removed, setRemoved] = useState<string | null>(null);
  return (
    <>
      <PageHead
        title="Provider credentials"
        lead="Your own accounts at providers: calls go under your key, and the provider bills you."
      >
        <Button look="primary" why={mayNot} onClick={() => setEntered("")}>
          <Plus aria-hidden="true" />
          Add credential
        </Button>
      </PageHead>
      <Stack>
        <CredentialList mayNot={mayNot} onAdd={() => setEntered("")} onReplace={setEntered} onRemove={setRemoved} />
        <Meaning />
      </Stack>
      <EnterCredential provider={entered} onClose={() => setEntered(null)} />
      <RemoveCredential provider={removed} onClose={() => setRemoved(null)} />
    </>
  );
}

function CredentialList(props: {
  readonly mayNot: string | null;
  readonly onAdd: () => void;
  readonly onReplace: (provider: string) => void;
  readonly onRemove: (provider: string) => void;
}): ReactNode {
  const { data: listed, error, refetch } = useQuery(listQuery);
  if (error && listed === undefined) return <FaultNote fault={error} retry={refetch} />;
  if (listed === undefined) return <Skeleton height="17.25rem" />;
  const { data } = listed;
  if (data.length === 0)
    return (
      <Panel>
        <Empty
          icon={Fingerprint}
          title="No credential of your own"
          actions={
            <Button why={props.mayNot} onClick={props.onAdd}>
              Add one
            </Button>
          }
        >
          Calls go under the credentials of this server and are charged in credits.
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
                In use
              </Chip>
            ) : (
              <Chip tone="warn" icon={TriangleAlert}>
                Not in use
              </Chip>
            )}
          </div>
          <p className={kit.soft}>
            {each.is_used
              ? "Model calls of this workspace go under it, at no charge of ours."
              : "The provider is served from other hosts now, or takes no credential of workspaces. Enter it again to bind it to where it is now."}
          </p>
          <div className={styles.hosts}>
            <span className={kit.soft}>Sent only to </span>
            <code>{each.hosts.join(", ")}</code>
          </div>
          <div className={kit.soft}>
            Set <Ago at={each.updated_at} />
          </div>
          <div className={kit.actions}>
            <Button small why={props.mayNot} onClick={() => props.onReplace(each.provider)}>
              Replace
            </Button>
            <Button small look="danger" why={props.mayNot} onClick={() => props.onRemove(each.provider)}>
              Remove
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Meaning(): ReactNode {
  return (
    <Panel title="What it means">
      <ul className={styles.meaning}>
        <li>
          <strong>Prices.</strong> Calls under your own credential cost no credits here: the provider bills its
          account's owner. Limits, slots and the log stay as they are, and an estimate says 0.
        </li>
        <li>
          <strong>Models.</strong> Where this server has no credential for a provider, its models appear for this
          workspace alone.
        </li>
        <li>
          <strong>Safety.</strong> It is sealed, bound to the provider's hosts, never shown again, and every change is
          in the audit.
        </li>
        <li>
          <strong>Ending it.</strong> Keep it until no call is open: a call goes on under the credential it began with.
        </li>
      </ul>
    </Panel>
  );
}

function EnterCredential(props: { readonly provider: string | null; readonly onClose: () => void }): ReactNode {
  const { provider, onClose } = props;
  return (
    <Dialog
      title={provider ? `Replace the credential at ${provider}` : "Add a credential"}
      isOpen={provider !== null}
      onClose={onClose}
    >
      {provider === null ? null : <CredentialForm known={provider} onClose={onClose} />}
    </Dialog>
  );
}

function CredentialForm({ known, onClose }: { readonly known: string; readonly onClose: () => void }): ReactNode {
  const [provider, setProvider] = useState(known);
  const [text, setText] = useState("");
  const takers = useQuery(listQuery).data?.providers ?? [];
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      call(operations.putProviderCredential, {
        params: { provider: provider.trim() },
        json: { credential: text.trim() },
      }),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: key });
      toast(`The credential at ${provider.trim()} is stored. Calls go under it within five seconds.`);
      onClose();
    },
  });
  const isReady = provider.trim() !== "" && text.trim().length >= 8;
  return (
    <DialogForm
      action="Store credential"
      isBusy={save.isPending}
      fault={save.error}
      why={isReady ? null : "Name the provider and enter its key, 8 characters or more."}
      onCancel={onClose}
      onSubmit={() => save.mutate()}
    >
      {known === "" ? (
        <SelectField
          label="Provider"
          hint="Those that verify keys and bill their owner."
          required
          choices={[{ value: "", label: "Choose…" }].concat(takers.map((name) => ({ value: name, label: name })))}
          value={provider}
          onChange={(event) => setProvider(event.target.value)}
        />
      ) : null}
      <TextField
        label="Key"
        type="password"
        required
        autoComplete="off"
        spellCheck={false}
        hint="As the provider gave it; id:secret where it gave a pair. It is sealed and never shown again."
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </DialogForm>
  );
}

function RemoveCredential(props: { readonly provider: string | null; readonly onClose: () => void }): ReactNode {
  const { provider, onClose } = props;
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: (name: string) => call(operations.deleteProviderCredential, { params: { provider: name } }),
    onSuccess: (_, name) => {
      queries.invalidateQueries({ queryKey: key });
      toast(`The credential at ${name} is removed.`);
      onClose();
    },
    onError: (thrown) => toastFault(thrown, "The credential is still there"),
  });
  return (
    <Confirm
      title={`Remove the credential at ${provider ?? ""}?`}
      isOpen={provider !== null}
      onClose={onClose}
      action="Remove"
      isBusy={remove.isPending}
      onConfirm={() => provider !== null && remove.mutate(provider)}
    >
      Calls go under the credential of this server again and are charged in credits; models that only your credential
      reached are gone with it. Calls that are open under it cannot be followed any more.
    </Confirm>
  );
}
