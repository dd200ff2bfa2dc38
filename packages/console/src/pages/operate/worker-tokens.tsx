// Tokens for workers elsewhere: created, shown once with the command that starts a worker, and revoked.

import { useQuery } from "@tanstack/react-query";
import { Check, Clock, KeyRound, Plus, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { workers } from "#strings/workers";
import { deploymentsQuery, type WorkerToken, workerTokensQuery } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { configQuery } from "../../api/config.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { useDraft } from "../../ui/calls/use-draft.ts";
import { Chip } from "../../ui/chip.tsx";
import { CodeBlock, CopyId } from "../../ui/copy.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { SecretDialog, SecretForm, type SecretSteps } from "../../ui/secret-dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./operate.module.css";

const words = workers.tokens;

type Created = WorkerToken & { readonly secret: string };

export function NewTokenButton({ why }: { readonly why: string | null }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" does={operations.createWorkerToken} why={why} onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" />
        {words.create}
      </Button>
      <SecretDialog<Created>
        title={words.create}
        readyTitle={({ name }) => words.ready(name)}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        form={(steps) => <TokenForm {...steps} />}
        secret={({ secret }) => <ReadyToken secret={secret} />}
        done={words.done}
      />
    </>
  );
}

function TokenForm(steps: SecretSteps<Created>): ReactNode {
  const { data: deployments } = useQuery(deploymentsQuery(undefined));
  const { draft, text, field } = useDraft({ name: "", pool: "" });
  const json = { name: draft.name.trim(), ...(draft.pool === "" ? {} : { pool_ids: [draft.pool] }) };
  const choices = (deployments?.data ?? []).map(({ id, name: label }) => ({
    value: id,
    label: words.deployment(label),
  }));
  return (
    <SecretForm
      {...steps}
      action={words.createAction}
      create={() => call(operations.createWorkerToken, { json })}
      changes={workerTokensQuery.queryKey}
      why={json.name === "" ? words.nameFirst : null}
    >
      <TextField label={words.name} hint={words.nameHint} required maxLength={100} {...text("name")} />
      <SelectField
        label={words.pool}
        choices={[{ value: "", label: words.sharedPool }, ...choices]}
        {...field("pool")}
      />
    </SecretForm>
  );
}

function ReadyToken({ secret }: { readonly secret: string }): ReactNode {
  const { data: config } = useQuery(configQuery);
  const command = `ATELIER_WORKER_TOKEN=${secret} atelier worker --server ${config?.base_url ?? location.origin}`;
  return (
    <>
      <ShownOnce label={words.token} text={secret} look="primary" hint={words.shownOnce} />
      <div>
        <p className={kit.soft}>{words.run}</p>
        <CodeBlock code={command} label={words.command} wrap />
        <p className={kit.soft}>
          <Rich text={words.application} flag={<code>--application http://127.0.0.1:8188</code>} />
        </p>
      </div>
    </>
  );
}

export function WorkerTokens(): ReactNode {
  const { data, error, refetch } = useQuery(workerTokensQuery);
  const [revoked, setRevoked] = useState<WorkerToken | null>(null);
  const revoking = useChange({
    change: ({ id }: WorkerToken) => call(operations.revokeWorkerToken, { params: { tokenId: id } }),
    stale: [workerTokensQuery.queryKey],
    said: (_, { name }) => words.revoked(name),
    after: () => setRevoked(null),
    failed: words.revokeFailed,
  });
  if (data === undefined) return <Pending fault={error} retry={refetch} height="10rem" />;
  return (
    <Panel title={words.title} flush>
      {data.data.length === 0 ? (
        <Empty icon={KeyRound} title={words.none}>
          <p>{words.noneText}</p>
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
                  <CopyId id={token.id} /> · <Rich text={words.created} when={<Ago at={token.created_at} />} />
                  {" · "}
                  {token.last_used_at === null ? (
                    words.neverUsed
                  ) : (
                    <Rich text={words.used} when={<Ago at={token.last_used_at} />} />
                  )}
                </span>
              </div>
              {token.revoked_at === null ? (
                <Button
                  small
                  look="danger"
                  does={operations.revokeWorkerToken}
                  aria-label={words.revokeOf(token.name)}
                  onClick={() => setRevoked(token)}
                >
                  {words.revoke}
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      <Confirm
        title={words.revokeTitle}
        action={words.revokeAction}
        isOpen={revoked !== null}
        isBusy={revoking.isPending}
        onClose={() => setRevoked(null)}
        onConfirm={() => revoked && revoking.mutate(revoked)}
      >
        <p>
          <Rich text={words.revokeText} name={<strong>{revoked?.name}</strong>} />
        </p>
      </Confirm>
    </Panel>
  );
}

function TokenState({ of }: { readonly of: WorkerToken }): ReactNode {
  if (of.revoked_at !== null) return <Chip icon={X}>{words.states.revoked}</Chip>;
  if (of.expires_at !== null && new Date(of.expires_at).getTime() < Date.now())
    return <Chip icon={Clock}>{words.states.expired}</Chip>;
  return (
    <Chip tone="ok" icon={Check}>
      {words.states.active}
    </Chip>
  );
}
