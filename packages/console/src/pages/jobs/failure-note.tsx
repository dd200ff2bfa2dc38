// Why a job failed: which node, what it said, and what to do.
import type { Job } from "@atelier/sdk";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button, buttonClass } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/copy.tsx";
import kit from "../../ui/kit.module.css";

const route = getRouteApi("/console/jobs/$jobId");

export function FailureNote({ job }: { readonly job: Job }): ReactNode {
  const navigate = route.useNavigate();
  const { error } = job;
  if (job.status !== "failed" && job.status !== "expired") return null;
  const node = error?.node_id;
  const title = node
    ? `Node ${node}${error.class_type ? ` (${error.class_type})` : ""} failed`
    : job.status === "expired"
      ? "The job ran out of time"
      : "The job failed";
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
          <summary>Where in the node</summary>
          <CodeBlock code={error.traceback} label="Traceback" />
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
            Show the node
          </Button>
        ) : null}
        <Link
          to="/console/workflows"
          search={{ job: job.id, ...(node ? { node } : {}) }}
          className={buttonClass({ small: true })}
        >
          Change its inputs
        </Link>
        {error ? <code className={kit.soft}>{error.code}</code> : null}
      </div>
    </div>
  );
}

function adviceFor({ status, error, outputs }: Job): string {
  const kept = outputs.length > 0 ? " What it made before is kept." : "";
  if (status === "expired")
    return `It was not done in the time that a job has. Run it again when less is queued.${kept}`;
  // If a node called a model, the message contains the router's code.
  switch (/\((\w+)\)/.exec(error?.message ?? "")?.[1] ?? error?.code) {
    case "insufficient_credits":
      return `The workspace has too few credits for it. Add credits, then run it again.${kept}`;
    case "content_policy_violation":
      return `The model refused what was asked of it. Change the prompt and run it again.${kept}`;
    case "rate_limited":
    case "provider_error":
    case "provider_timeout":
      return `The provider of the model did not do it this time. Run it again in a while.${kept}`;
    case "worker_lost":
    case "attempts_exhausted":
      return `Its workers were lost three times. If it needs much memory, make it smaller; else run it again.${kept}`;
    default:
      return error?.node_id
        ? `Look at the inputs of this node, change what is wrong, and run it again. Nodes that were done before may be reused.${kept}`
        : `Run it again; if it fails once more, change its inputs.${kept}`;
  }
}
