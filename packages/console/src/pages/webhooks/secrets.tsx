// The secrets that sign deliveries. A secret is shown when it is created and never again.

import type { WebhookSecret, WebhookSecretList } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import { webhooks } from "#strings/webhooks";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { readList } from "../../api/read-query.ts";
import { Button } from "../../ui/button.tsx";
import { useField } from "../../ui/calls/use-draft.ts";
import { Chip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Panel } from "../../ui/panel.tsx";
import { SecretDialog, SecretForm, type SecretSteps } from "../../ui/secret-dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { overlaps } from "./overlaps.ts";
import styles from "./webhooks.module.css";

const words = webhooks.secrets;
const queryKey = ["webhooks", "secrets"];

type Listed = WebhookSecretList["data"][number];

const columns: readonly Column<Listed>[] = [
  {
    name: "state",
    head: words.columns.state,
    cell: ({ signs_until }) =>
      signs_until === null ? <Chip tone="ok">{words.current}</Chip> : <Chip tone="warn">{words.overlapping}</Chip>,
  },
  { name: "id", head: words.columns.secret, cell: ({ id }) => <CopyId id={id} /> },
  { name: "made", head: words.columns.created, cell: ({ created_at }) => <Ago at={created_at} /> },
  {
    name: "until",
    head: words.columns.until,
    cell: ({ signs_until }) => (signs_until ? <Ago at={signs_until} /> : words.untilReplaced),
  },
];

export function Secrets(): ReactNode {
  const [isRotating, setRotating] = useState(false);
  const { data, error, refetch } = useQuery(readList(queryKey, operations.listWebhookSecrets));
  return (
    <>
      <Panel
        title={words.title}
        flush
        actions={
          <Button does={operations.rotateWebhookSecret} onClick={() => setRotating(true)}>
            {data?.length === 0 ? words.create : words.rotate}
          </Button>
        }
      >
        {data === undefined ? (
          <Pending fault={error} retry={refetch} className={styles.pad} height="2.2rem" count={2} />
        ) : data.length === 0 ? (
          <Empty icon={KeyRound} title={words.none}>
            {words.noneText}
          </Empty>
        ) : (
          <Table label={words.title} columns={columns} rows={data} keyOf={({ id }) => id} />
        )}
      </Panel>
      <SecretDialog<WebhookSecret>
        title={words.newSecret}
        readyTitle={() => words.ready}
        isOpen={isRotating}
        onClose={() => setRotating(false)}
        form={(steps) => <RotateForm isFirst={data?.length === 0} {...steps} />}
        secret={({ secret }) => (
          <>
            <p>
              <Rich text={words.readyText} copy={<strong>{words.copyNow}</strong>} />
            </p>
            <ShownOnce label={words.secret} text={secret} copyLabel={words.copySecret} look="primary" />
            <ShownOnce label={words.env} text={`ATELIER_WEBHOOK_SECRET=${secret}`} copyLabel={words.copyLine} />
          </>
        )}
        done={words.done}
      />
    </>
  );
}

function RotateForm({ isFirst, ...steps }: SecretSteps<WebhookSecret> & { readonly isFirst: boolean }): ReactNode {
  const [overlap, overlapField] = useField("86400");
  return (
    <SecretForm
      {...steps}
      action={words.action}
      create={() => call(operations.rotateWebhookSecret, { json: { overlap_seconds: Number(overlap) } })}
      changes={queryKey}
    >
      <p>{words.text}</p>
      {isFirst ? null : <SelectField label={words.overlap} choices={overlaps} {...overlapField} />}
    </SecretForm>
  );
}
