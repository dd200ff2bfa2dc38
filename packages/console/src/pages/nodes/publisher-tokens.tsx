// Tokens that can publish for one publisher and do nothing else. A new one is shown once.

import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { nodes } from "#strings/nodes";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { useField } from "../../ui/calls/use-draft.ts";
import { CodeBlock } from "../../ui/copy.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Panel } from "../../ui/panel.tsx";
import { SecretDialog, SecretForm, type SecretSteps } from "../../ui/secret-dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { useBase } from "../../ui/snippets/use-base.ts";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { type PublisherToken, tokensQuery } from "./registry-queries.ts";
import { publishWithToken } from "./snippets.ts";

const words = nodes.tokens;

type CreatedToken = Awaited<ReturnType<typeof createToken>>;

export function PublisherTokens({ publisherId }: { readonly publisherId: string }): ReactNode {
  const { data, error, isPending, refetch } = useQuery(tokensQuery(publisherId));
  const [isMaking, setMaking] = useState(false);
  const [doomed, setDoomed] = useState<PublisherToken | null>(null);
  const revoke = useChange({
    change: (token: PublisherToken) =>
      call(operations.deletePublisherToken, { params: { publisherId, tokenId: token.id } }),
    said: (_, token) => words.revoked(token.name),
    after: () => {
      setDoomed(null);
      refetch();
    },
    failed: words.revokeFailed,
  });
  return (
    <Panel
      flush
      title={words.title}
      actions={
        <Button does={operations.createPublisherToken} small onClick={() => setMaking(true)}>
          <Plus aria-hidden="true" /> {words.create}
        </Button>
      }
    >
      {error ? <FaultNote fault={error} retry={refetch} /> : null}
      {isPending ? <Skeleton height="3rem" /> : null}
      {data?.length === 0 ? (
        <Empty icon={KeyRound} title={words.none}>
          {words.noneText}
        </Empty>
      ) : null}
      {data && data.length > 0 ? (
        <Table label={words.title} rows={data} keyOf={({ id }) => id} columns={columnsOf(setDoomed)} />
      ) : null}
      <NewToken publisherId={publisherId} isOpen={isMaking} onClose={() => setMaking(false)} />
      <Confirm
        title={words.revokeTitle}
        action={words.revokeAction}
        isOpen={doomed !== null}
        isBusy={revoke.isPending}
        onClose={() => setDoomed(null)}
        onConfirm={() => doomed && revoke.mutate(doomed)}
      >
        <Rich text={words.revokeText} name={<strong>{doomed?.name}</strong>} />
      </Confirm>
    </Panel>
  );
}

const columnsOf = (revoke: (token: PublisherToken) => void): readonly Column<PublisherToken>[] => [
  { name: "name", head: words.columns.name, cell: ({ name }) => name },
  {
    name: "token",
    head: words.columns.token,
    cell: ({ token }) => <code>{token.replace(/\*+$/, "…")}</code>,
  },
  { name: "created", head: words.columns.created, cell: ({ createdAt }) => <Ago at={createdAt} /> },
  { name: "used", head: words.columns.used, cell: ({ last_used_at }) => <Ago at={last_used_at} /> },
  {
    name: "ends",
    head: words.columns.expires,
    cell: ({ expires_at }) => (expires_at ? <Ago at={expires_at} /> : words.never),
  },
  {
    name: "act",
    head: <span className="visually-hidden">{words.columns.actions}</span>,
    align: "end",
    cell: (token) => (
      <Button
        does={operations.deletePublisherToken}
        small
        look="danger"
        aria-label={words.revokeOf(token.name)}
        onClick={() => revoke(token)}
      >
        {words.revoke}
      </Button>
    ),
  },
];

const spans = [
  { value: "", label: words.spans.never },
  { value: "30", label: words.spans.month },
  { value: "90", label: words.spans.quarter },
  { value: "365", label: words.spans.year },
];

const createToken = (publisherId: string, name: string, days: string) =>
  call(operations.createPublisherToken, {
    params: { publisherId },
    json: {
      name: name.trim(),
      ...(days === "" ? {} : { expires_at: new Date(Date.now() + Number(days) * 86_400_000).toISOString() }),
    },
  });

function NewToken({
  publisherId,
  ...opened
}: {
  readonly publisherId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const base = useBase();
  return (
    <SecretDialog<CreatedToken>
      {...opened}
      title={words.createTitle}
      readyTitle={() => words.copyNow}
      form={(steps) => <TokenForm publisherId={publisherId} {...steps} />}
      secret={({ token }) => (
        <>
          <p>{words.shownOnce}</p>
          <ShownOnce label={words.token} text={token} look="primary" copyLabel={words.copy} />
          <CodeBlock label={words.howTo} wrap code={publishWithToken(base, token)} />
        </>
      )}
      done={words.done}
    />
  );
}

function TokenForm({ publisherId, ...steps }: SecretSteps<CreatedToken> & { readonly publisherId: string }): ReactNode {
  const [name, nameField] = useField("");
  const [days, daysField] = useField("90");
  return (
    <SecretForm
      {...steps}
      action={words.createAction}
      create={() => createToken(publisherId, name, days)}
      changes={tokensQuery(publisherId).queryKey}
      why={name.trim() === "" ? words.nameFirst : null}
    >
      <TextField label={words.name} required maxLength={100} {...nameField} placeholder={words.namePlaceholder} />
      <SelectField label={words.expires} choices={spans} {...daysField} />
    </SecretForm>
  );
}
