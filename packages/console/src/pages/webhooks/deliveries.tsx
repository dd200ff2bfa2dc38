// The deliveries, newest first. Filters are in the address and applied by the server.
import type { WebhookDelivery } from "@atelier/sdk";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Webhook } from "lucide-react";
import { type ReactNode, useState } from "react";
import { configQuery } from "../../api/config.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/copy.tsx";
import { Select } from "../../ui/fields.tsx";
import { Ago, spanOf } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { baseOf } from "../../ui/snippets/clients.ts";
import { CommandHint } from "../../ui/snippets/snippet-tabs.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { DeliveryChip, statusWords } from "./delivery-chip.tsx";
import { attemptsMax, deliveriesQuery, hostOf } from "./delivery-queries.ts";
import styles from "./webhooks.module.css";
import { statuses, type WebhooksSearch } from "./webhooks-search.ts";

export function Deliveries({ onTest }: { readonly onTest: () => void }): ReactNode {
  const { status, type, receiver, subject_id } = useSearch({ from: "/console/webhooks" });
  const filter = { status, type, receiver, subject_id };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    deliveriesQuery(filter),
  );
  const rows = data?.pages.flatMap((page) => page.data);
  return (
    <Panel title="Deliveries" flush actions={<Filters key={JSON.stringify(filter)} />}>
      {error && rows === undefined ? (
        <FaultNote fault={error} retry={refetch} />
      ) : rows === undefined ? (
        <div className={styles.pad}>
          <Skeleton height="2.2rem" count={6} />
        </div>
      ) : rows.length === 0 ? (
        isFiltered ? (
          <NoneFound />
        ) : (
          <NoneYet onTest={onTest} />
        )
      ) : (
        <ul aria-label="Deliveries">
          {rows.map((each) => (
            <Row key={each.id} of={each} />
          ))}
        </ul>
      )}
      {hasNextPage ? (
        <div className={styles.more}>
          <Button disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Older deliveries
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}

function Row({ of }: { readonly of: WebhookDelivery }): ReactNode {
  return (
    <li className={styles.delivery} data-delivery={of.id}>
      <div className={styles.state}>
        <DeliveryChip of={of} />
      </div>
      <div className={styles.event}>
        <Link
          from="/console/webhooks"
          to="/console/webhooks"
          search={(now) => ({ ...now, delivery: of.id })}
          className={styles.type}
        >
          {of.type}
        </Link>
        <div className={kit.soft}>
          <Subject of={of} /> to <span title={of.url}>{hostOf(of.url)}</span>
        </div>
      </div>
      <div className={styles.tries}>
        <div>{of.attempts === 0 ? "Not tried yet" : attemptWords(of)}</div>
        <div className={kit.soft}>{of.attempts === 0 ? null : answerWords(of)}</div>
      </div>
      <div className={styles.when}>
        <div>
          <Ago at={of.created_at} />
        </div>
        {of.next_attempt_at ? (
          <div className={kit.soft}>
            next <Ago at={of.next_attempt_at} />
          </div>
        ) : null}
      </div>
    </li>
  );
}

function attemptWords(of: WebhookDelivery): string {
  const most = attemptsMax(of);
  return of.attempts > most ? `${of.attempts} attempts` : `Attempt ${of.attempts} of ${most}`;
}

function answerWords({ last_status, last_duration_ms }: WebhookDelivery): string {
  const answer = last_status === null ? "no answer" : `answered ${last_status}`;
  return last_duration_ms === null ? answer : `${answer} in ${spanOf(last_duration_ms)}`;
}

function Filters(): ReactNode {
  const search = useSearch({ from: "/console/webhooks" });
  const navigate = useNavigate({ from: "/console/webhooks" });
  const [type, setType] = useState(search.type ?? "");
  const [receiver, setReceiver] = useState(search.receiver ?? "");
  const change = (more: WebhooksSearch) =>
    navigate({
      search: (now) => Object.fromEntries(Object.entries({ ...now, ...more }).filter(([, value]) => value)),
    });
  return (
    <form
      className={styles.filters}
      onSubmit={(event) => {
        event.preventDefault();
        change({ type: type.trim(), receiver: receiver.trim() });
      }}
    >
      <Select
        label="State"
        choices={[{ value: "", label: "Every state" }].concat(
          statuses.map((status) => ({ value: status, label: statusWords[status] })),
        )}
        value={search.status ?? ""}
        onChange={({ target }) => change({ status: statuses.find((status) => status === target.value) })}
      />
      <input
        className={kit.input}
        aria-label="Event type"
        placeholder="Type: job.succeeded"
        value={type}
        onChange={({ target }) => setType(target.value)}
      />
      <input
        className={kit.input}
        aria-label="Receiver"
        placeholder="Receiver: https://host"
        value={receiver}
        onChange={({ target }) => setReceiver(target.value)}
      />
      <Button type="submit">Filter</Button>
    </form>
  );
}

function Subject({ of }: { readonly of: WebhookDelivery }): ReactNode {
  const short = of.subject_id.length > 16 ? `${of.subject_id.slice(0, 8)}…${of.subject_id.slice(-4)}` : of.subject_id;
  if (of.type === "webhook.test") return <span className={kit.soft}>a test</span>;
  const words = <code title={of.subject_id}>{short}</code>;
  return of.type.startsWith("job.") ? (
    <Link to="/console/jobs/$jobId" params={{ jobId: of.subject_id }}>
      {words}
    </Link>
  ) : (
    words
  );
}

function NoneFound(): ReactNode {
  const navigate = useNavigate({ from: "/console/webhooks" });
  return (
    <Empty
      icon={Webhook}
      title="No delivery is like that"
      actions={<Button onClick={() => navigate({ search: {} })}>Show all deliveries</Button>}
    >
      Types and receivers are compared whole: <code>job.succeeded</code>, <code>https://hooks.example.com</code>.
      Deliveries are kept for 30 days.
    </Empty>
  );
}

function NoneYet({ onTest }: { readonly onTest: () => void }): ReactNode {
  const { data: config } = useQuery(configQuery);
  return (
    <Empty
      icon={Webhook}
      title="Nothing was sent yet"
      actions={
        <Button look="primary" onClick={onTest}>
          Send a test
        </Button>
      }
    >
      <div className={styles.how}>
        <p>
          Give <code>webhook_url</code> with a job, a partner task or a queued model call: every change of its status is
          then sent there, signed, until the receiver takes it. A receiver for this machine comes with the command line;
          it checks the signatures and shows what comes:
        </p>
        <CodeBlock code={listen} label="A receiver on this machine" />
        <CommandHint base={baseOf(config?.base_url ?? location.origin)} />
        <p>The last line lets the server send to this machine, and works while it runs.</p>
      </div>
    </Empty>
  );
}

const listen = [
  "export ATELIER_WEBHOOK_SECRET=$(atelier webhooks secret --rotate --yes)",
  "atelier webhooks allow 127.0.0.1:8765",
  "atelier webhooks listen",
  "atelier run graph.json --webhook-url http://127.0.0.1:8765/hooks",
].join("\n");
