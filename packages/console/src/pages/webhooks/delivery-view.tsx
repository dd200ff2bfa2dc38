// One delivery: the request exactly as sent, each attempt with its answer, and sending it again.
import type { WebhookAttempt, WebhookDeliveryDetail } from "@atelier/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { ArrowLeft, RefreshCcw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { configQuery } from "../../api/config.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { CodeBlock, CopyId } from "../../ui/copy.tsx";
import { Ago, spanOf } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Facts, PageHead, Panel, Stack } from "../../ui/panel.tsx";
import { baseOf } from "../../ui/snippets/clients.ts";
import { InstallSdk } from "../../ui/snippets/snippet-tabs.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import { DeliveryChip } from "./delivery-chip.tsx";
import { deliveryQuery, redeliver } from "./delivery-queries.ts";
import { curlOf, headersOf, verifiers } from "./snippets.ts";
import styles from "./webhooks.module.css";

export function DeliveryView({ id }: { readonly id: string }): ReactNode {
  const { data, error, refetch } = useQuery(deliveryQuery(id));
  const { delivery: _, ...back } = useSearch({ from: "/console/webhooks" });
  return (
    <>
      <Link to="/console/webhooks" search={back} className={styles.back}>
        <ArrowLeft aria-hidden="true" />
        All deliveries
      </Link>
      {data === undefined ? (
        <>
          <PageHead title="Delivery" />
          {error ? <FaultNote fault={error} retry={refetch} /> : <Skeleton height="20rem" />}
        </>
      ) : (
        <Opened of={data} />
      )}
    </>
  );
}

function Opened({ of }: { readonly of: WebhookDeliveryDetail }): ReactNode {
  return (
    <>
      <PageHead
        title={of.type}
        lead={
          <span className={styles.leads}>
            <DeliveryChip of={of} /> <CopyId id={of.id} /> made <Ago at={of.created_at} />
          </span>
        }
      >
        <Redeliver of={of} />
      </PageHead>
      <Stack>
        <Panel title="Delivery">
          <Facts
            of={[
              ["Goes to", <code key="url">{of.url}</code>],
              ["About", <About key="about" of={of} />],
              ["Change number", String(of.sequence)],
              ["Next attempt", of.next_attempt_at ? <Ago key="next" at={of.next_attempt_at} /> : "none by itself"],
              ["Taken", of.delivered_at ? <Ago key="taken" at={of.delivered_at} /> : "not yet"],
            ]}
          />
        </Panel>
        <Attempts of={of} />
        <Request of={of} />
        <Again of={of} />
      </Stack>
    </>
  );
}

function About({ of }: { readonly of: WebhookDeliveryDetail }): ReactNode {
  if (of.type.startsWith("job."))
    return (
      <Link to="/console/jobs/$jobId" params={{ jobId: of.subject_id }}>
        job <code>{of.subject_id}</code>
      </Link>
    );
  return <code>{of.subject_id}</code>;
}

function Redeliver({ of }: { readonly of: WebhookDeliveryDetail }): ReactNode {
  const queries = useQueryClient();
  const again = useMutation({
    mutationFn: () => redeliver(of.id),
    onSuccess: () => toast("One attempt is made now."),
    onError: (thrown) => toastFault(thrown, "Not sent"),
    onSettled: () => queries.invalidateQueries({ queryKey: ["webhooks"] }),
  });
  return (
    <Button
      look="primary"
      disabled={again.isPending}
      why={of.status === "sending" ? "It is being sent at this moment." : null}
      onClick={() => again.mutate()}
    >
      <RefreshCcw aria-hidden="true" />
      Redeliver
    </Button>
  );
}

function Attempts({ of }: { readonly of: WebhookDeliveryDetail }): ReactNode {
  const { attempt_log: log } = of;
  return (
    <Panel title={log.length === 1 ? "1 attempt" : `${log.length} attempts`} flush>
      {log.length === 0 ? <p className={styles.pad}>Not sent yet.</p> : null}
      <ol aria-label="Attempts">
        {log.map((attempt) => (
          <Attempt key={attempt.number} of={attempt} />
        ))}
      </ol>
    </Panel>
  );
}

function Attempt({ of }: { readonly of: WebhookAttempt }): ReactNode {
  const isTaken = of.error === null;
  return (
    <li className={styles.attempt} data-attempt={of.number}>
      <strong>{of.number}</strong>
      <Chip tone={isTaken ? "ok" : "bad"}>{of.status ?? "no answer"}</Chip>
      <span className={styles.words}>{of.error ?? "The receiver took it."}</span>
      {of.manual ? <Chip tone="accent">by hand</Chip> : null}
      <span className={kit.soft}>
        {spanOf(of.duration_ms)} · <Ago at={of.at} />
      </span>
    </li>
  );
}

function Request({ of }: { readonly of: WebhookDeliveryDetail }): ReactNode {
  const [tab, setTab] = useState<"exact" | "readable">("exact");
  return (
    <Panel title="The request">
      <div className={styles.parts}>
        <CodeBlock wrap label="Headers" code={headersOf(of)} />
        <Tabs
          label="Body"
          chosen={tab}
          onChoose={setTab}
          tabs={[
            { name: "exact", label: "Body, byte for byte" },
            { name: "readable", label: "Readable" },
          ]}
        >
          <div className={styles.under}>
            <CodeBlock wrap label="Body" code={tab === "exact" ? of.body : readable(of.body)} />
          </div>
        </Tabs>
      </div>
    </Panel>
  );
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function Again({ of }: { readonly of: WebhookDeliveryDetail }): ReactNode {
  const [tab, setTab] = useState<keyof typeof verifiers | "curl">("curl");
  const { data: config } = useQuery(configQuery);
  return (
    <Panel title="Try it and verify it">
      <Tabs
        label="Code"
        chosen={tab}
        onChoose={setTab}
        tabs={[
          { name: "curl", label: "Copy as curl" },
          { name: "typescript", label: "Verify in TypeScript" },
          { name: "python", label: "Verify in Python" },
        ]}
      >
        <div className={styles.under}>
          {tab === "typescript" ? <InstallSdk base={baseOf(config?.base_url ?? location.origin)} /> : null}
          <CodeBlock label="Code" code={tab === "curl" ? curlOf(of) : verifiers[tab]} />
          {tab === "curl" ? (
            <p className={kit.hint}>
              Signs with the secret in <code>ATELIER_WEBHOOK_SECRET</code>: a secret is shown when it is made, and never
              after.
            </p>
          ) : null}
        </div>
      </Tabs>
    </Panel>
  );
}
