// One request, whole: what became of it, where its time went, what it cost, and the way to run it again. While it is under
// way it is read again and again.

import type { AccountRequest } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Play } from "lucide-react";
import type { ReactNode } from "react";
import { call } from "../../api/client.ts";
import { configQuery } from "../../api/config.ts";
import { asFault } from "../../api/fault.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Chip, StateChip } from "../../ui/chip.tsx";
import { CodeBlock, CopyId } from "../../ui/copy.tsx";
import { Ago, bytesOf, creditsOf } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { OutcomeChip, outcomeOf, subjectOf } from "../../ui/outcome.tsx";
import { Facts, Panel, Stack } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { Course } from "./request-course.tsx";
import styles from "./requests.module.css";

export function RequestView({ id, isWhole = false }: { readonly id: string; readonly isWhole?: boolean }): ReactNode {
  const query = useQuery({
    queryKey: ["account", "request", id],
    queryFn: ({ signal }) => call<AccountRequest>(`/account/requests/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state }) => (state.data?.outcome === null ? 1_000 : false),
  });
  if (query.data === undefined) {
    return query.isError ? (
      <FaultNote fault={query.error} retry={() => query.refetch()}>
        {asFault(query.error).status === 404 ? (
          <p className={kit.soft}>
            Requests are found for 400 days. A free call without an Idempotency-Key is written down a moment after its
            answer.
          </p>
        ) : null}
      </FaultNote>
    ) : (
      <Skeleton height="5rem" count={3} />
    );
  }
  const request = query.data;
  return isWhole ? (
    <div className={styles.whole}>
      <Stack>
        <Panel>
          <Head request={request} />
        </Panel>
        <Panel title="Where its time went">
          <Course request={request} />
        </Panel>
        <Again request={request} />
      </Stack>
      <Stack>
        <Panel title="About it">
          <About request={request} />
        </Panel>
        <Money request={request} />
        <Repeats request={request} />
      </Stack>
    </div>
  ) : (
    <Stack>
      <Head request={request} />
      <Course request={request} />
      <About request={request} />
      <Again request={request} isBare />
    </Stack>
  );
}

function Head({ request }: { readonly request: AccountRequest }): ReactNode {
  const { name } = subjectOf(request.subject);
  const outcome = request.replayed ? "replayed" : request.outcome;
  const refused = request.rows.find(({ refused_by }) => refused_by !== null);
  return (
    <div className={styles.head}>
      <div className={kit.actions}>
        <OutcomeChip outcome={outcome} />
        {request.status === null ? null : <Chip>{request.status}</Chip>}
        {request.queued ? <StateChip state={request.queued.status} /> : null}
      </div>
      <p className={styles.subjectName}>{name}</p>
      {outcome === null || outcome === "succeeded" ? null : <p className={kit.soft}>{outcomeOf(outcome).advice}</p>}
      {refused ? (
        <p className={styles.refused}>
          {refused.refused_by} answered {refused.provider_status}
          {refused.provider_words ? `: “${refused.provider_words}”` : ""}. {refused.advice}
        </p>
      ) : null}
      {typeof request.queued?.detail === "string" ? <p>{request.queued.detail}</p> : null}
    </div>
  );
}

function About({ request }: { readonly request: AccountRequest }): ReactNode {
  const { kind } = subjectOf(request.subject);
  const facts: (readonly [string, ReactNode])[] = [
    ["When", <Ago key="at" at={request.at} />],
    ["Asked by", request.key_name ?? (request.api_key_id === null ? "a person in the console" : "a key that is gone")],
    ["Request", <CopyId key="id" id={request.request_id} />],
  ];
  if (request.call) facts.push(["Call", <CopyId key="call" id={request.call.id} />]);
  if (request.job_id) {
    facts.push([
      "Job",
      <Link key="job" to="/console/jobs/$jobId" params={{ jobId: request.job_id }}>
        {request.node_id ? `node ${request.node_id} of a job` : "a job"}
      </Link>,
    ]);
  }
  if (request.partner_task) {
    const { partner, operation, state } = request.partner_task;
    facts.push(["Partner's task", `${partner} ${operation}: ${state}`]);
  }
  if (kind !== "model") facts.push(["Kind", kind]);
  facts.push(["Charged", <b key="credits">{creditsOf(request.credits)} credits</b>]);
  return <Facts of={facts} />;
}

function Money({ request }: { readonly request: AccountRequest }): ReactNode {
  if (request.credit_lines.length === 0) return null;
  return (
    <Panel title="In the journal">
      <Facts
        of={[...request.credit_lines]
          .reverse()
          .map((line) => [lineWords[line.kind] ?? line.kind, `${creditsOf(line.amount)} credits`] as const)}
      />
    </Panel>
  );
}

const lineWords: Readonly<Record<string, string>> = {
  hold: "Set aside",
  settle: "Charged",
  release: "Given back",
  refund: "Refunded",
};

function Repeats({ request }: { readonly request: AccountRequest }): ReactNode {
  const { call: made, answer, replays } = request;
  if (made === null) return null;
  const facts: (readonly [string, ReactNode])[] = [];
  if (made.idempotency_key !== null) facts.push(["Idempotency-Key", <code key="key">{made.idempotency_key}</code>]);
  if (made.key_answers_until !== null) facts.push(["Answers until", new Date(made.key_answers_until).toLocaleString()]);
  if (answer !== null) {
    facts.push(["Recorded", `${answer.content_type ?? "bytes"}, ${bytesOf(answer.bytes)}`]);
  }
  if (made.idempotency_key !== null) {
    facts.push([
      "Repeated",
      replays === 0 ? "not yet" : `${replays} ${replays === 1 ? "time" : "times"}, free of charge`,
    ]);
  }
  return facts.length === 0 ? null : (
    <Panel title="Repeats">
      <Facts of={facts} />
    </Panel>
  );
}

// Bodies are not shown: the shape of the call, to be filled.
function Again({
  request,
  isBare = false,
}: {
  readonly request: AccountRequest;
  readonly isBare?: boolean;
}): ReactNode {
  const { data: config } = useQuery(configQuery);
  const { kind, name } = subjectOf(request.subject);
  const [provider = "", model = ""] = name.split("/");
  if (kind !== "model") return null;
  const code = curlOf(config?.base_url ?? location.origin, name, request.queued !== null);
  const open = (
    <LinkButton
      small={!isBare}
      look={isBare ? "primary" : undefined}
      to="/console/models/$provider/$model"
      params={{ provider, model }}
    >
      <Play aria-hidden="true" />
      Open in playground
    </LinkButton>
  );
  const body = (
    <Stack>
      {isBare ? <div className={kit.actions}>{open}</div> : null}
      <CodeBlock wrap={!isBare} label="The same call with curl" code={code} />
      <p className={kit.soft}>
        {request.queued === null
          ? "The input of a call that runs at once is not stored here."
          : "The input of a queued call is kept until it has run, and is not shown here."}{" "}
        The key stands in a variable of your shell.
      </p>
    </Stack>
  );
  return isBare ? (
    body
  ) : (
    <Panel title="Run it again" actions={open}>
      {body}
    </Panel>
  );
}

function curlOf(base: string, model: string, isQueued: boolean): string {
  const path = `/v1/models/${model}${isQueued ? "/requests" : ""}`;
  return `curl ${base}${path} \\\n  -H "Authorization: Bearer $ATELIER_API_KEY" \\\n  -H 'Content-Type: application/json' -d '{"prompt": "…"}'`;
}
