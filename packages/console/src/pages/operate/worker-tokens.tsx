// Tokens for workers elsewhere: created, shown once with the command that starts a worker, and revoked.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, Clock, KeyRound, Plus, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { deploymentsQuery, type WorkerToken, workerTokensQuery } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { configQuery } from "../../api/config.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { CodeBlock, CopyId } from "../../ui/copy.tsx";
import { Confirm, Dialog, DialogFoot } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { SelectField, TextField } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Panel, Stack } from "../../ui/panel.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import styles from "./operate.module.css";

type Created = WorkerToken & { readonly secret: string };

export function NewTokenButton({ why }: { readonly why: string | null }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<Created | null>(null);
  // Closing forgets the token, which is only in this component's state.
  const close = () => {
    setOpen(false);
    setMade(null);
  };
  return (
    <>
      <Button look="primary" why={why} onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" />
        New worker token
      </Button>
      <Dialog title={made === null ? "New worker token" : `“${made.name}” is ready`} isOpen={isOpen} onClose={close}>
        {made === null ? <TokenForm onMade={setMade} onCancel={close} /> : <ReadyToken made={made} onClose={close} />}
      </Dialog>
    </>
  );
}

function TokenForm(props: { readonly onMade: (made: Created) => void; readonly onCancel: () => void }): ReactNode {
  const queries = useQueryClient();
  const { data: deployments } = useQuery(deploymentsQuery(undefined));
  const [name, setName] = useState("");
  const [pool, setPool] = useState("");
  const making = useMutation({
    mutationFn: () =>
      call<Created>("/admin/worker-tokens", {
        method: "POST",
        json: { name: name.trim(), ...(pool === "" ? {} : { pool_ids: [pool] }) },
      }),
    onSuccess: (made) => {
      queries.invalidateQueries({ queryKey: workerTokensQuery.queryKey });
      props.onMade(made);
    },
  });
  const choices = (deployments?.data ?? []).map(({ id, name: label }) => ({ value: id, label: `Deployment ${label}` }));
  return (
    <DialogForm
      action="Create token"
      isBusy={making.isPending}
      fault={making.error}
      why={name.trim() === "" ? "Give it a name first." : null}
      onSubmit={() => making.mutate()}
      onCancel={props.onCancel}
    >
      <TextField
        label="Name"
        hint="Which machine is it for? “rack-1”."
        required
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField
        label="Whose jobs it takes"
        choices={[{ value: "", label: "The shared pool" }, ...choices]}
        value={pool}
        onChange={(event) => setPool(event.target.value)}
      />
    </DialogForm>
  );
}

function ReadyToken({ made, onClose }: { readonly made: Created; readonly onClose: () => void }): ReactNode {
  const { data: config } = useQuery(configQuery);
  const command = `ATELIER_WORKER_TOKEN=${made.secret} atelier worker --server ${config?.base_url ?? location.origin}`;
  return (
    <Stack>
      <ShownOnce label="The token" text={made.secret} look="primary" hint="It is shown this one time." />
      <div>
        <p className={kit.soft}>On the machine that shall work, with the embedded engine:</p>
        <CodeBlock code={command} label="Command" wrap />
        <p className={kit.soft}>Add --application http://127.0.0.1:8188 to run graphs in an application there.</p>
      </div>
      <DialogFoot>
        <Button onClick={onClose}>I have it</Button>
      </DialogFoot>
    </Stack>
  );
}

export function WorkerTokens(): ReactNode {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(workerTokensQuery);
  const [revoked, setRevoked] = useState<WorkerToken | null>(null);
  const revoking = useMutation({
    mutationFn: ({ id }: WorkerToken) => call(`/admin/worker-tokens/${id}`, { method: "DELETE" }),
    onSuccess: (_, { name }) => {
      queries.invalidateQueries({ queryKey: workerTokensQuery.queryKey });
      toast(`${name} no longer works.`);
      setRevoked(null);
    },
    onError: (thrown) => toastFault(thrown, "The token was not revoked"),
  });
  if (data === undefined) return error ? <FaultNote fault={error} retry={refetch} /> : <Skeleton height="10rem" />;
  return (
    <Panel title="Worker tokens" flush>
      {data.data.length === 0 ? (
        <Empty icon={KeyRound} title="No worker token yet">
          <p>A worker on another machine proves with one whose jobs it may take.</p>
        </Empty>
      ) : (
        <ul>
          {data.data.map((token) => (
            <li key={token.id} className={styles.item} data-token={token.id}>
              <div className={styles.who}>
                <Heading>
                  {token.name}
                  <TokenState of={token} />
                </Heading>
                <span className={kit.soft}>
                  <CopyId id={token.id} /> · made <Ago at={token.created_at} /> · used <Ago at={token.last_used_at} />
                </span>
              </div>
              {token.revoked_at === null ? (
                <Button small look="danger" aria-label={`Revoke ${token.name}`} onClick={() => setRevoked(token)}>
                  Revoke
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      <Confirm
        title="Revoke this token?"
        action="Revoke token"
        isOpen={revoked !== null}
        isBusy={revoking.isPending}
        onClose={() => setRevoked(null)}
        onConfirm={() => revoked && revoking.mutate(revoked)}
      >
        <p>
          Workers that came with <strong>{revoked?.name}</strong> are turned away at once; their jobs are given to
          others.
        </p>
      </Confirm>
    </Panel>
  );
}

function TokenState({ of }: { readonly of: WorkerToken }): ReactNode {
  if (of.revoked_at !== null) return <Chip icon={X}>Revoked</Chip>;
  if (of.expires_at !== null && new Date(of.expires_at).getTime() < Date.now())
    return <Chip icon={Clock}>Expired</Chip>;
  return (
    <Chip tone="ok" icon={Check}>
      Works
    </Chip>
  );
}
