// The deliveries, newest first. Filters are in the address and applied by the server.

import type { WebhookDelivery } from "@atelier/sdk";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Webhook } from "lucide-react";
import { type ReactNode, useState } from "react";
import { webhooks } from "#strings/webhooks";
import { configQuery } from "../../api/config.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { More } from "../../ui/calls/more.tsx";
import { CodeBlock } from "../../ui/copy.tsx";
import { Select } from "../../ui/fields.tsx";
import { Ago, formatDuration } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { baseOf } from "../../ui/snippets/clients.ts";
import { Empty, FaultNote, Pending } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { DeliveryChip, statusWords } from "./delivery-chip.tsx";
import { attemptsMax, deliveriesQuery, hostOf } from "./delivery-queries.ts";
import { endpointsQuery } from "./endpoints/endpoint-queries.ts";
import { listenHere, reportHere } from "./snippets.ts";
import styles from "./webhooks.module.css";
import { statuses, type WebhooksSearch } from "./webhooks-search.ts";

const words = webhooks.deliveries;

export function Deliveries({ onTest }: { readonly onTest: () => void }): ReactNode {
  const { status, type, receiver, subject_id, endpoint_id } = useSearch({ from: "/console/webhooks" });
  const filter = { status, type, receiver, subject_id, endpoint_id };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const list = useInfiniteQuery(deliveriesQuery(filter));
  const rows = list.data?.pages.flatMap(({ data }) => data);
  return (
    <Panel title={words.title} flush actions={<Filters key={JSON.stringify(filter)} />}>
      {rows === undefined ? (
        <Pending fault={list.error} retry={list.refetch} className={styles.pad} height="2.2rem" count={6} />
      ) : rows.length === 0 ? (
        isFiltered ? (
          <NoneFound />
        ) : (
          <NoneYet onTest={onTest} />
        )
      ) : (
        <ul aria-label={words.title}>
          {rows.map((each) => (
            <Row key={each.id} of={each} />
          ))}
        </ul>
      )}
      <More of={list} className={styles.more}>
        {words.older}
      </More>
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
          <Rich text={words.to} subject={<Subject of={of} />} host={<span title={of.url}>{hostOf(of.url)}</span>} />
        </div>
      </div>
      <div className={styles.tries}>
        <div>{of.attempts === 0 ? words.notTried : attemptWords(of)}</div>
        <div className={kit.soft}>{of.attempts === 0 ? null : answerWords(of)}</div>
      </div>
      <div className={styles.when}>
        <div>
          <Ago at={of.created_at} />
        </div>
        {of.next_attempt_at ? (
          <div className={kit.soft}>
            <Rich text={words.next} time={<Ago at={of.next_attempt_at} />} />
          </div>
        ) : null}
      </div>
    </li>
  );
}

function attemptWords(of: WebhookDelivery): string {
  const most = attemptsMax(of);
  return of.attempts > most ? words.attempts(of.attempts) : words.attemptOf(of.attempts, most);
}

function answerWords({ last_status, last_duration_ms }: WebhookDelivery): string {
  const answer = last_status === null ? webhooks.noAnswer : words.answered(last_status);
  return last_duration_ms === null ? answer : words.answeredIn(answer, formatDuration(last_duration_ms));
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
        label={words.state}
        choices={[
          { value: "", label: words.everyState },
          ...statuses.map((status) => ({ value: status, label: statusWords[status] })),
        ]}
        value={search.status ?? ""}
        onChange={({ target }) => change({ status: statuses.find((status) => status === target.value) })}
      />
      <EndpointChoice chosen={search.endpoint_id} onChoose={(endpoint_id) => change({ endpoint_id })} />
      <input
        className={kit.input}
        aria-label={words.type}
        placeholder={words.typeHint}
        value={type}
        onChange={({ target }) => setType(target.value)}
      />
      <input
        className={kit.input}
        aria-label={words.receiver}
        placeholder={words.receiverHint}
        value={receiver}
        onChange={({ target }) => setReceiver(target.value)}
      />
      <Button type="submit">{words.filter}</Button>
    </form>
  );
}

// Only where there is a choice. A deleted endpoint is still shown if the address names it.
function EndpointChoice(props: {
  readonly chosen: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
}): ReactNode {
  const { chosen } = props;
  const { data: all, error, refetch } = useQuery(endpointsQuery);
  if (error && all === undefined) return <FaultNote fault={error} retry={refetch} />;
  const data = all ?? [];
  if (data.length === 0 && chosen === undefined) return null;
  const known = data.map(({ id, url }) => ({ value: id, label: url.replace(/^https?:\/\//, "") }));
  const isGone = chosen !== undefined && !data.some(({ id }) => id === chosen);
  return (
    <Select
      label={words.endpoint}
      className={styles.endpoint}
      choices={[
        { value: "", label: words.everyEndpoint },
        ...known,
        ...(isGone ? [{ value: chosen, label: words.deletedEndpoint(chosen.slice(0, 8)) }] : []),
      ]}
      value={chosen ?? ""}
      onChange={({ target }) => props.onChoose(target.value === "" ? undefined : target.value)}
    />
  );
}

function Subject({ of }: { readonly of: WebhookDelivery }): ReactNode {
  const short = of.subject_id.length > 16 ? `${of.subject_id.slice(0, 8)}…${of.subject_id.slice(-4)}` : of.subject_id;
  if (of.type === "webhook.test") return <span className={kit.soft}>{words.test}</span>;
  const subject = <code title={of.subject_id}>{short}</code>;
  return of.type.startsWith("job.") ? (
    <Link to="/console/jobs/$jobId" params={{ jobId: of.subject_id }}>
      {subject}
    </Link>
  ) : (
    subject
  );
}

function NoneFound(): ReactNode {
  const navigate = useNavigate({ from: "/console/webhooks" });
  return (
    <Empty
      icon={Webhook}
      title={words.noMatch}
      actions={<Button onClick={() => navigate({ search: {} })}>{words.showAll}</Button>}
    >
      <Rich
        text={words.noMatchText}
        type={<code>job.succeeded</code>}
        receiver={<code>https://hooks.example.com</code>}
      />
    </Empty>
  );
}

function NoneYet({ onTest }: { readonly onTest: () => void }): ReactNode {
  const { data: config } = useQuery(configQuery);
  const base = baseOf(config?.base_url ?? location.origin);
  return (
    <Empty
      icon={Webhook}
      title={words.none}
      actions={
        <Button does={operations.sendTestWebhook} look="primary" onClick={onTest}>
          {webhooks.sendTest}
        </Button>
      }
    >
      <div className={styles.how}>
        <p>
          <Rich text={words.noneText} field={<code>webhook_url</code>} />
        </p>
        <CodeBlock code={listenHere(base)} label={words.listen} />
        <p>{words.reportText}</p>
        <CodeBlock code={reportHere(base)} label={words.report} />
      </div>
    </Empty>
  );
}
