// One request in full: its outcome, where its time went, what it cost, and how to run it again. Polled while it is under way.

import type { AccountRequest } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Play } from "lucide-react";
import type { ReactNode } from "react";
import { call } from "../../api/client.ts";
import { configQuery } from "../../api/config.ts";
import { LinkButton } from "../../ui/button.tsx";
import { CodeBlock, CopyId } from "../../ui/copy.tsx";
import { Ago, bytesOf, creditsOf } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { subjectOf } from "../../ui/outcome.tsx";
import { Facts, Panel, Stack } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { Attempts } from "./request-attempts.tsx";
import { Course } from "./request-course.tsx";
import { Head } from "./request-head.tsx";
import styles from "./requests.module.css";

export function RequestView({ id, isWhole = false }: { readonly id: string; readonly isWhole?: boolean }): ReactNode {
  const query = useQuery({
    queryKey: ["account", "request", id],
    queryFn: ({ signal }) => call<AccountRequest>(`/account/requests/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.outcome === null ? 1_000 : data?.call?.state === "open" && !data.replayed ? 3_000 : false,
  });
  if (query.data === undefined) {
    return query.isError ? (
      <FaultNote fault={query.error} gone="No request with this id" retry={() => query.refetch()} />
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
        <Attempts request={request} />
        {request.rows.length === 0 && request.outcome !== null ? null : (
          <Panel title="Where its time went">
            <Course request={request} />
          </Panel>
        )}
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
      <Attempts request={request} isBare />
      {request.rows.length === 0 && request.outcome !== null ? null : <Course request={request} />}
      <About request={request} />
      <Again request={request} isBare />
    </Stack>
  );
}

function About({ request }: { readonly request: AccountRequest }): ReactNode {
  const kind = request.call === null && request.rows.length === 0 ? "model" : subjectOf(request.subject).kind;
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

// We do not show bodies, only the shape of the call to fill in.
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
  if (kind !== "model" || request.rows.length === 0) return null;
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
