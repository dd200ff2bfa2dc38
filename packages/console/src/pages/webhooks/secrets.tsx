// The secrets that sign deliveries. A secret is shown when it is created and never again.
import type { WebhookSecret, WebhookSecretList } from "@atelier/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import { accountQuery } from "../../api/account.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { Dialog, DialogFoot } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Panel } from "../../ui/panel.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import styles from "./webhooks.module.css";

type Listed = WebhookSecretList["data"][number];

const columns: readonly Column<Listed>[] = [
  {
    name: "state",
    head: "State",
    cell: ({ signs_until }) =>
      signs_until === null ? <Chip tone="ok">Current</Chip> : <Chip tone="warn">Signs beside the new one</Chip>,
  },
  { name: "id", head: "Secret", cell: ({ id }) => <CopyId id={id} /> },
  { name: "made", head: "Made", cell: ({ created_at }) => <Ago at={created_at} /> },
  {
    name: "until",
    head: "Signs until",
    cell: ({ signs_until }) => (signs_until ? <Ago at={signs_until} /> : "replaced"),
  },
];

export function Secrets(): ReactNode {
  const { data: account } = useQuery(accountQuery);
  const [isRotating, setRotating] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["webhooks", "secrets"],
    queryFn: async ({ signal }) => (await call(operations.listWebhookSecrets, { signal })).data,
  });
  const mayNot =
    account === undefined || account.role === "owner"
      ? null
      : "Only owners make secrets: they speak in the workspace's name.";
  const words = data?.length === 0 ? "Make a secret" : "Rotate";
  return (
    <>
      <Panel
        title="Secrets"
        flush
        actions={
          <Button why={mayNot} onClick={() => setRotating(true)}>
            {words}
          </Button>
        }
      >
        {error && data === undefined ? (
          <FaultNote fault={error} retry={refetch} />
        ) : data === undefined ? (
          <div className={styles.pad}>
            <Skeleton height="2.2rem" count={2} />
          </div>
        ) : data.length === 0 ? (
          <Empty icon={KeyRound} title="No secret was made yet">
            Deliveries are signed from the first on. Make a secret to be able to verify them.
          </Empty>
        ) : (
          <Table label="Secrets" columns={columns} rows={data} keyOf={({ id }) => id} />
        )}
      </Panel>
      <Rotate isOpen={isRotating} isFirst={data?.length === 0} onClose={() => setRotating(false)} />
    </>
  );
}

const overlaps = [
  { value: "86400", label: "A day" },
  { value: "3600", label: "An hour" },
  { value: "604800", label: "A week" },
  { value: "0", label: "Not at all: it leaked" },
];

function Rotate(props: {
  readonly isOpen: boolean;
  readonly isFirst: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const [made, setMade] = useState<WebhookSecret | null>(null);
  const close = () => {
    setMade(null);
    props.onClose();
  };
  return (
    <Dialog title={made === null ? "New webhook secret" : "The new secret"} isOpen={props.isOpen} onClose={close}>
      {made === null ? (
        <RotateForm isFirst={props.isFirst} onMade={setMade} onClose={close} />
      ) : (
        <>
          <p>
            <strong>Copy it now.</strong> It signs from this moment on, and is shown this one time.
          </p>
          <ShownOnce label="Secret" text={made.secret} copyLabel="Copy secret" look="primary" />
          <ShownOnce label="For a .env file" text={`ATELIER_WEBHOOK_SECRET=${made.secret}`} copyLabel="Copy line" />
          <DialogFoot>
            <Button onClick={close}>Done</Button>
          </DialogFoot>
        </>
      )}
    </Dialog>
  );
}

function RotateForm(props: {
  readonly isFirst: boolean;
  readonly onMade: (secret: WebhookSecret) => void;
  readonly onClose: () => void;
}): ReactNode {
  const [overlap, setOverlap] = useState("86400");
  const queries = useQueryClient();
  const rotate = useMutation({
    mutationFn: () =>
      call(operations.rotateWebhookSecret, {
        json: { overlap_seconds: Number(overlap) },
      }),
    onSuccess: (secret) => {
      queries.invalidateQueries({ queryKey: ["webhooks", "secrets"] });
      props.onMade(secret);
    },
  });
  return (
    <DialogForm
      action="Make the secret"
      isBusy={rotate.isPending}
      fault={rotate.error}
      onCancel={props.onClose}
      onSubmit={() => rotate.mutate()}
    >
      <p>The new secret signs at once. Receivers that know the old one go on while both sign.</p>
      {props.isFirst ? null : (
        <SelectField
          label="The old one signs beside it for"
          choices={overlaps}
          value={overlap}
          onChange={({ target }) => setOverlap(target.value)}
        />
      )}
    </DialogForm>
  );
}
