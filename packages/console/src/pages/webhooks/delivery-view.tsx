// One delivery: the request exactly as sent, each attempt with its answer, and sending it again.

import type { WebhookAttempt, WebhookDeliveryDetail } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { ArrowLeft, RefreshCcw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { webhooks } from "#strings/webhooks";
import { configQuery } from "../../api/config.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { Chip } from "../../ui/chip.tsx";
import { CodeBlock, CopyId } from "../../ui/copy.tsx";
import { Ago, formatDuration } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Facts, PageHead, Panel, Stack } from "../../ui/panel.tsx";
import { baseOf } from "../../ui/snippets/clients.ts";
import { InstallSdk } from "../../ui/snippets/snippet-tabs.tsx";
import { Pending } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { DeliveryChip } from "./delivery-chip.tsx";
import { deliveryQuery, redeliver } from "./delivery-queries.ts";
import { curlOf, headersOf, verifiers } from "./snippets.ts";
import styles from "./webhooks.module.css";

const words = webhooks.delivery;

export function DeliveryView({ id }: { readonly id: string }): ReactNode {
  const { data, error, refetch } = useQuery(deliveryQuery(id));
  const { delivery: _, ...back } = useSearch({ from: "/console/webhooks" });
  return (
    <>
      <Link to="/console/webhooks" search={back} className={styles.back}>
        <ArrowLeft aria-hidden="true" />
        {words.all}
      </Link>
      {data === undefined ? (
        <>
          <PageHead title={words.title} />
          <Pending fault={error} retry={refetch} height="20rem" />
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
            <Rich
              text={words.lead}
              status={<DeliveryChip of={of} />}
              id={<CopyId id={of.id} />}
              time={<Ago at={of.created_at} />}
            />
          </span>
        }
      >
        <Redeliver of={of} />
      </PageHead>
      <Stack>
        <Panel title={words.title}>
          <Facts
            of={[
              [words.facts.url, <code key="url">{of.url}</code>],
              [words.facts.about, <About key="about" of={of} />],
              [words.facts.endpoint, <ForEndpoint key="endpoint" id={of.endpoint_id} />],
              [words.facts.sequence, String(of.sequence)],
              [words.facts.next, of.next_attempt_at ? <Ago key="next" at={of.next_attempt_at} /> : words.noNext],
              [words.facts.delivered, of.delivered_at ? <Ago key="taken" at={of.delivered_at} /> : words.notDelivered],
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

function ForEndpoint({ id }: { readonly id: string | null }): ReactNode {
  return id === null ? (
    words.ownAddress
  ) : (
    <Link to="/console/webhooks" search={{ tab: "endpoints" }}>
      <code>{id}</code>
    </Link>
  );
}

function About({ of }: { readonly of: WebhookDeliveryDetail }): ReactNode {
  if (of.type.startsWith("job."))
    return (
      <Link to="/console/jobs/$jobId" params={{ jobId: of.subject_id }}>
        <Rich text={words.job} id={<code>{of.subject_id}</code>} />
      </Link>
    );
  return <code>{of.subject_id}</code>;
}

function Redeliver({ of }: { readonly of: WebhookDeliveryDetail }): ReactNode {
  const again = useChange({
    change: () => redeliver(of.id),
    staleAnyway: [["webhooks"]],
    said: () => words.redelivering,
    failed: words.notSent,
  });
  return (
    <Button
      does={operations.redeliverWebhook}
      look="primary"
      disabled={again.isPending}
      why={of.status === "sending" ? words.sendingNow : null}
      onClick={() => again.mutate()}
    >
      <RefreshCcw aria-hidden="true" />
      {words.redeliver}
    </Button>
  );
}

function Attempts({ of }: { readonly of: WebhookDeliveryDetail }): ReactNode {
  const { attempt_log: log } = of;
  return (
    <Panel title={words.attempts(log.length)} flush>
      {log.length === 0 ? <p className={styles.pad}>{words.notSentYet}</p> : null}
      <ol aria-label={words.attemptList}>
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
      <Chip tone={isTaken ? "ok" : "bad"}>{of.status ?? webhooks.noAnswer}</Chip>
      <span className={styles.words}>{of.error ?? words.accepted}</span>
      {of.manual ? <Chip tone="accent">{words.manual}</Chip> : null}
      <span className={kit.soft}>
        <Rich text={words.took} span={formatDuration(of.duration_ms)} time={<Ago at={of.at} />} />
      </span>
    </li>
  );
}

function Request({ of }: { readonly of: WebhookDeliveryDetail }): ReactNode {
  const [tab, setTab] = useState<"exact" | "readable">("exact");
  return (
    <Panel title={words.request}>
      <div className={styles.parts}>
        <CodeBlock wrap label={words.headers} code={headersOf(of)} />
        <Tabs
          label={words.body}
          chosen={tab}
          onChoose={setTab}
          tabs={[
            { name: "exact", label: words.exact },
            { name: "readable", label: words.readable },
          ]}
        >
          <div className={styles.under}>
            <CodeBlock wrap label={words.body} code={tab === "exact" ? of.body : readable(of.body)} />
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
    <Panel title={words.code}>
      <Tabs
        label={words.codeLabel}
        chosen={tab}
        onChoose={setTab}
        tabs={[
          { name: "curl", label: words.curl },
          { name: "typescript", label: words.typescript },
          { name: "python", label: words.python },
        ]}
      >
        <div className={styles.under}>
          {tab === "typescript" ? <InstallSdk base={baseOf(config?.base_url ?? location.origin)} /> : null}
          <CodeBlock label={words.codeLabel} code={tab === "curl" ? curlOf(of) : verifiers[tab]} />
          {tab === "curl" ? (
            <p className={kit.hint}>
              <Rich text={words.secretHint} variable={<code>ATELIER_WEBHOOK_SECRET</code>} />
            </p>
          ) : null}
        </div>
      </Tabs>
    </Panel>
  );
}
