// Tokens that can publish for one publisher and do nothing else. A new one is shown once: it exists only in this dialog's memory
// and is gone when the dialog closes.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { call } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/copy.tsx";
import { Confirm, Dialog, DialogFoot } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { SelectField, TextField } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Panel } from "../../ui/panel.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import { type CreatedPublisherToken, type PublisherToken, publisherPath, tokensQuery } from "./registry-queries.ts";

export function PublisherTokens({ publisherId }: { readonly publisherId: string }): ReactNode {
  const { data, error, isPending, refetch } = useQuery(tokensQuery(publisherId));
  const [isMaking, setMaking] = useState(false);
  const [doomed, setDoomed] = useState<PublisherToken | null>(null);
  const revoke = useMutation({
    mutationFn: (token: PublisherToken) =>
      call(`${publisherPath(publisherId)}/tokens/${token.id}`, { method: "DELETE" }),
    onSuccess: (_, token) => {
      toast(`${token.name} publishes no more.`);
      setDoomed(null);
      refetch();
    },
    onError: (thrown) => toastFault(thrown, "The token was not revoked"),
  });
  return (
    <Panel
      flush
      title="Publishing tokens"
      actions={
        <Button small onClick={() => setMaking(true)}>
          <Plus aria-hidden="true" /> New token
        </Button>
      }
    >
      {error ? <FaultNote fault={error} retry={refetch} /> : null}
      {isPending ? <Skeleton height="3rem" /> : null}
      {data?.length === 0 ? (
        <Empty icon={KeyRound} title="No tokens">
          A machine that publishes, such as a build server, gets a token that can do nothing else.
        </Empty>
      ) : null}
      {data && data.length > 0 ? (
        <Table
          label="Publishing tokens"
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            { name: "name", head: "Name", cell: ({ name }) => name },
            { name: "token", head: "Token", cell: ({ token }) => <code>{token.replace(/\*+$/, "…")}</code> },
            { name: "created", head: "Made", cell: ({ createdAt }) => <Ago at={createdAt} /> },
            { name: "used", head: "Last used", cell: ({ last_used_at }) => <Ago at={last_used_at} /> },
            {
              name: "ends",
              head: "Ends",
              cell: ({ expires_at }) => (expires_at ? <Ago at={expires_at} /> : "never"),
            },
            {
              name: "act",
              head: <span className="visually-hidden">Actions</span>,
              align: "end",
              cell: (token) => (
                <Button small look="danger" aria-label={`Revoke ${token.name}`} onClick={() => setDoomed(token)}>
                  Revoke
                </Button>
              ),
            },
          ]}
        />
      ) : null}
      <NewToken publisherId={publisherId} isOpen={isMaking} onClose={() => setMaking(false)} />
      <Confirm
        title="Revoke this token?"
        action="Revoke"
        isOpen={doomed !== null}
        isBusy={revoke.isPending}
        onClose={() => setDoomed(null)}
        onConfirm={() => doomed && revoke.mutate(doomed)}
      >
        What publishes with <strong>{doomed?.name}</strong> is refused from now on. What it published stays.
      </Confirm>
    </Panel>
  );
}

const spans = [
  { value: "", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
];

function NewToken(props: {
  readonly publisherId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const [name, setName] = useState("");
  const [days, setDays] = useState("90");
  const queries = useQueryClient();
  const make = useMutation({
    mutationFn: () =>
      call<CreatedPublisherToken>(`${publisherPath(props.publisherId)}/tokens`, {
        method: "POST",
        json: {
          name: name.trim(),
          ...(days === "" ? {} : { expires_at: new Date(Date.now() + Number(days) * 86_400_000).toISOString() }),
        },
      }),
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries(tokensQuery(props.publisherId)),
  });
  const close = () => {
    make.reset();
    setName("");
    props.onClose();
  };
  return (
    <Dialog title={make.data ? "Copy the token now" : "New publishing token"} isOpen={props.isOpen} onClose={close}>
      {make.data ? (
        <>
          <p>It is shown this one time. Keep it where your build keeps its secrets.</p>
          <ShownOnce label="The token" text={make.data.token} look="primary" copyLabel="Copy the token" />
          <CodeBlock
            label="How to publish with it"
            wrap
            code="ATELIER_PUBLISHER_TOKEN=… atelier nodes publish my-node"
          />
          <DialogFoot>
            <Button look="primary" onClick={close}>
              I have it
            </Button>
          </DialogFoot>
        </>
      ) : (
        <DialogForm
          action="Create token"
          isBusy={make.isPending}
          fault={make.error}
          why={name.trim() === "" ? "Say what it is for." : null}
          onSubmit={() => make.mutate()}
          onCancel={close}
        >
          <TextField
            label="What it is for"
            required
            maxLength={100}
            value={name}
            placeholder="ci"
            onChange={(event) => setName(event.target.value)}
          />
          <SelectField label="It ends" choices={spans} value={days} onChange={(event) => setDays(event.target.value)} />
        </DialogForm>
      )}
    </Dialog>
  );
}
