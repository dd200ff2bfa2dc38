// Why a job failed: which node, what it said, and what to do.
import type { Job } from "@atelier/sdk";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { jobs } from "#strings/jobs";
import { Button, buttonClass } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/copy.tsx";
import kit from "../../ui/kit.module.css";

const words = jobs.failure;
const route = getRouteApi("/console/jobs/$jobId");

export function FailureNote({ job }: { readonly job: Job }): ReactNode {
  const navigate = route.useNavigate();
  const { error } = job;
  if (job.status !== "failed" && job.status !== "expired") return null;
  const node = error?.node_id;
  const title = node
    ? words.node(node, error.class_type ?? null)
    : job.status === "expired"
      ? words.timedOut
      : words.failed;
  return (
    <div className={kit.fault} role="alert">
      <h2>
        <CircleAlert aria-hidden="true" />
        {title}
      </h2>
      {error ? <p>{error.message}</p> : null}
      <p className={kit.soft}>{adviceFor(job)}</p>
      {error?.traceback ? (
        <details>
          <summary>{words.where}</summary>
          <CodeBlock code={error.traceback} label={words.traceback} />
        </details>
      ) : null}
      <div className={kit.actions}>
        {node ? (
          <Button
            small
            onClick={() =>
              void navigate({ search: (old) => ({ ...old, tab: "graph", node }), replace: true, resetScroll: false })
            }
          >
            {words.showNode}
          </Button>
        ) : null}
        <Link
          to="/console/workflows"
          search={{ job: job.id, ...(node ? { node } : {}) }}
          className={buttonClass({ small: true })}
        >
          {jobs.changeInputs}
        </Link>
        {error ? <code className={kit.soft}>{error.code}</code> : null}
      </div>
    </div>
  );
}

function adviceFor(job: Job): string {
  const advice = words.advice[adviceName(job)];
  return job.outputs.length > 0 ? `${advice} ${words.kept}` : advice;
}

function adviceName({ status, error }: Job): keyof typeof words.advice {
  if (status === "expired") return "timedOut";
  // If a node called a model, the message contains the router's code.
  switch (/\((\w+)\)/.exec(error?.message ?? "")?.[1] ?? error?.code) {
    case "insufficient_credits":
      return "credits";
    case "content_policy_violation":
      return "policy";
    case "rate_limited":
    case "provider_error":
    case "provider_timeout":
      return "provider";
    case "worker_lost":
    case "attempts_exhausted":
      return "worker";
    default:
      return error?.node_id ? "node" : "other";
  }
}
