// One request in full: its outcome, where its time went, what it cost, and how to run it again. Polled while it is under way.

import type { AccountRequest } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { requests as words } from "#strings/requests";
import { shared } from "#strings/shared";
import { configQuery } from "../../api/config.ts";
import { inputOfRun, playgroundRunsQuery } from "../../api/model-calls/playground-runs.ts";
import { requestBodiesQuery } from "../../api/model-calls/request-bodies.ts";
import { documentQuery } from "../../api/models.ts";
import { operations } from "../../api/operations.ts";
import { readQuery } from "../../api/read-query.ts";
import { LinkButton } from "../../ui/button.tsx";
import { CodeBlock, CopyId } from "../../ui/copy.tsx";
import { Ago, formatBytes, formatCredits } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { subjectOf } from "../../ui/outcome.tsx";
import { Facts, Panel, Stack } from "../../ui/panel.tsx";
import { firstInput } from "../../ui/schema-form/first-input.ts";
import { Pending, Skeleton } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { inputLink } from "../../ui/work-form/input-link.ts";
import { explainCharge } from "./explain-charge.ts";
import { inputOfBodies } from "./kept-input.ts";
import { Attempts } from "./request-attempts.tsx";
import { Checks } from "./request-checks.tsx";
import { Course } from "./request-course.tsx";
import { Head } from "./request-head.tsx";
import styles from "./requests.module.css";
import { sameCall } from "./snippets.ts";

const Bodies = lazy(() => import("./request-bodies.tsx").then((each) => ({ default: each.Bodies })));

export function RequestView({ id, isWhole = false }: { readonly id: string; readonly isWhole?: boolean }): ReactNode {
  const query = useQuery({
    ...readQuery(["account", "request", id], operations.getAccountRequest, { params: { requestId: id } }),
    refetchInterval: ({ state: { data } }) =>
      data?.outcome === null ? 1_000 : data?.call?.state === "open" && !data.replayed ? 3_000 : false,
  });
  if (query.data === undefined)
    return <Pending fault={query.error} gone={words.gone} retry={query.refetch} height="5rem" count={3} />;
  const request = query.data;
  return isWhole ? (
    <div className={styles.whole}>
      <Stack>
        <Panel>
          <Head request={request} />
        </Panel>
        <Checks request={request} />
        <Attempts request={request} />
        {request.rows.length === 0 && request.outcome !== null ? null : (
          <Panel title={words.time.title}>
            <Course request={request} />
          </Panel>
        )}
        {isOfModel(request) ? (
          <Suspense fallback={<Skeleton height="8rem" />}>
            <Bodies request={request} />
          </Suspense>
        ) : null}
        <Again request={request} />
      </Stack>
      <Stack>
        <Panel title={words.about.title}>
          <About request={request} />
        </Panel>
        <Money request={request} />
        <Repeats request={request} />
      </Stack>
    </div>
  ) : (
    <Stack>
      <Head request={request} />
      <Checks request={request} isBare />
      <Attempts request={request} isBare />
      {request.rows.length === 0 && request.outcome !== null ? null : <Course request={request} />}
      <About request={request} />
      <Money request={request} isBare />
      <Again request={request} isBare />
    </Stack>
  );
}

function About({ request }: { readonly request: AccountRequest }): ReactNode {
  const kind = request.call === null && request.rows.length === 0 ? "model" : subjectOf(request.subject).kind;
  const facts: (readonly [string, ReactNode])[] = [
    [words.about.when, <Ago key="at" at={request.at} />],
    [words.about.by, request.key_name ?? (request.api_key_id === null ? words.console : words.about.deletedKey)],
    [words.about.request, <CopyId key="id" id={request.request_id} />],
  ];
  if (request.call) facts.push([words.about.call, <CopyId key="call" id={request.call.id} />]);
  if (request.job_id) {
    facts.push([
      words.about.job,
      <Link key="job" to="/console/jobs/$jobId" params={{ jobId: request.job_id }}>
        {request.node_id ? words.about.viewNode(request.node_id) : words.about.viewJob}
      </Link>,
    ]);
  }
  if (request.partner_task) {
    const { partner, operation, state } = request.partner_task;
    facts.push([words.about.partnerTask, words.about.task(partner, operation, state)]);
  }
  if (kind !== "model") facts.push([words.about.kind, kind]);
  facts.push([words.about.charged, <b key="credits">{shared.credits(formatCredits(request.credits))}</b>]);
  return <Facts of={facts} />;
}

function Money({
  request,
  isBare = false,
}: {
  readonly request: AccountRequest;
  readonly isBare?: boolean;
}): ReactNode {
  const charge = explainCharge(request);
  if (charge === null) return null;
  const body = (
    <Stack>
      {charge.steps.length === 0 ? null : (
        <Facts of={charge.steps.map(({ name, credits }) => [name, shared.credits(credits)] as const)} />
      )}
      <p className={kit.soft}>{charge.why}</p>
    </Stack>
  );
  return isBare ? body : <Panel title={words.charge.title}>{body}</Panel>;
}

function Repeats({ request }: { readonly request: AccountRequest }): ReactNode {
  const { call: made, answer, replays } = request;
  if (made === null) return null;
  const facts: (readonly [string, ReactNode])[] = [];
  if (made.idempotency_key !== null) facts.push(["Idempotency-Key", <code key="key">{made.idempotency_key}</code>]);
  if (made.key_answers_until !== null)
    facts.push([words.repeats.until, new Date(made.key_answers_until).toLocaleString()]);
  if (answer !== null) {
    facts.push([words.repeats.stored, words.repeats.storedAs(answer.content_type, formatBytes(answer.bytes))]);
  }
  if (made.idempotency_key !== null) {
    facts.push([words.repeats.replays, replays === 0 ? words.repeats.none : words.repeats.count(replays)]);
  }
  return facts.length === 0 ? null : (
    <Panel title={words.repeats.title}>
      <Facts of={facts} />
    </Panel>
  );
}

const isOfModel = ({ subject, outcome }: AccountRequest) => subjectOf(subject).kind === "model" && outcome !== null;

// The input comes from what the workspace keeps, else from this person's history of the playground, else from the model's
// example.
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
  const isModel = kind === "model" && request.rows.length > 0;
  const { data: document } = useQuery({ ...documentQuery(name), enabled: isModel, retry: false });
  const { data: history } = useQuery({ ...playgroundRunsQuery(name), enabled: isModel, retry: false });
  const { data: bodies } = useQuery({ ...requestBodiesQuery(request.request_id), enabled: isModel });
  if (!isModel || document === undefined) return null;
  const past = history?.find(({ request_id: id }) => id !== null && id === request.request_id);
  const kept = inputOfBodies(bodies);
  const input = kept ?? (past ? inputOfRun(past) : firstInput(document.input));
  const link = kept || past ? inputLink(input) : null;
  const isWhole = bodies?.input?.removed.length === 0;
  const about = kept
    ? isWhole
      ? words.again.kept
      : words.again.keptPartly
    : past
      ? words.again.own
      : words.again.example;
  const code = sameCall(config?.base_url ?? location.origin, {
    model: name,
    isQueued: request.queued !== null,
    document,
    input,
  });
  const open = (
    <LinkButton
      small={!isBare}
      look={isBare ? "primary" : undefined}
      to="/console/models/$provider/$model"
      params={{ provider, model }}
      {...(link === null ? {} : { hash: link })}
    >
      <Play aria-hidden="true" />
      {link === null ? words.again.open : words.again.withInput}
    </LinkButton>
  );
  const body = (
    <Stack>
      {isBare ? <div className={kit.actions}>{open}</div> : null}
      <CodeBlock wrap={!isBare} label={words.again.code} code={code} />
      <p className={kit.soft}>
        {about} <Rich text={words.again.key} variable={<code>ATELIER_API_KEY</code>} />
      </p>
    </Stack>
  );
  return isBare ? (
    body
  ) : (
    <Panel title={words.again.title} actions={open}>
      {body}
    </Panel>
  );
}
