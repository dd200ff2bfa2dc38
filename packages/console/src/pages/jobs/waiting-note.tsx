// A queued job that no worker here can run: what it waits for, and how to provide it. The job then starts automatically.
import type { Job } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Hourglass } from "lucide-react";
import type { ReactNode } from "react";
import { accountQuery } from "../../api/account.ts";
import { configQuery } from "../../api/config.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import styles from "./job.module.css";

export function WaitingNote({ job }: { readonly job: Job }): ReactNode {
  const awaited = job.status === "queued" ? job.waiting_for : undefined;
  if (awaited === undefined) return null;
  return (
    <div className={styles.waiting} role="note">
      <Heading>
        <Hourglass aria-hidden="true" />
        Waiting for a worker
      </Heading>
      <p>
        No worker that is connected now can run this graph. The job is kept and begins by itself as soon as one comes.{" "}
        {awaited.last_seen_at === null ? null : (
          <>
            The last one was here <Ago at={awaited.last_seen_at} />.
          </>
        )}
      </p>
      <Names label="Node classes" of={awaited.node_classes} />
      <Names label="Models" of={awaited.models} />
      <Way />
    </div>
  );
}

function Names({ label, of }: { readonly label: string; readonly of: readonly string[] }): ReactNode {
  if (of.length === 0) return null;
  return (
    <div className={styles.awaited}>
      <span className={kit.soft}>{label} it needs:</span>
      <ul aria-label={`${label} it needs`}>
        {of.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Way(): ReactNode {
  const { data: config } = useQuery(configQuery);
  const { data: account } = useQuery({ ...accountQuery, enabled: config?.auth === "session" });
  if (config?.surface === "self_hosted") return <p>Start your application, with these nodes and models installed.</p>;
  if (account?.is_operator !== true)
    return <p>Ask the operator of this server to start such a worker, or cancel the job.</p>;
  return (
    <>
      <p>
        Start the worker again with <code>atelier worker</code>, or connect another application that has all of these.
        You need{" "}
        <Link to="/console/workers" search={{ tab: "tokens" }}>
          a worker token
        </Link>{" "}
        for it.
      </p>
      <div className={kit.actions}>
        <LinkButton small to="/console/workers">
          See the workers
        </LinkButton>
      </div>
    </>
  );
}
