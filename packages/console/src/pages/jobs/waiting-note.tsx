// A queued job that no worker here can run: what it waits for, and how to provide it. The job then starts automatically.
import type { Job } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Hourglass } from "lucide-react";
import type { ReactNode } from "react";
import { jobs } from "#strings/jobs";
import { accountQuery } from "../../api/account.ts";
import { configQuery } from "../../api/config.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./job.module.css";

const words = jobs.waiting;

export function WaitingNote({ job }: { readonly job: Job }): ReactNode {
  const awaited = job.status === "queued" ? job.waiting_for : undefined;
  if (awaited === undefined) return null;
  return (
    <div className={styles.waiting} role="note">
      <Heading>
        <Hourglass aria-hidden="true" />
        {words.title}
      </Heading>
      <p>
        {words.text}{" "}
        {awaited.last_seen_at === null ? null : <Rich text={words.lastSeen} ago={<Ago at={awaited.last_seen_at} />} />}
      </p>
      <Names label={words.nodeClasses} of={awaited.node_classes} />
      <Names label={words.models} of={awaited.models} />
      <Way />
    </div>
  );
}

function Names({ label, of }: { readonly label: string; readonly of: readonly string[] }): ReactNode {
  if (of.length === 0) return null;
  return (
    <div className={styles.awaited}>
      <span className={kit.soft}>{label}:</span>
      <ul aria-label={label}>
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
  if (config?.surface === "self_hosted") return <p>{words.startApplication}</p>;
  if (account?.is_operator !== true) return <p>{words.askOperator}</p>;
  return (
    <>
      <p>
        <Rich
          text={words.start}
          command={<code>atelier worker</code>}
          token={
            <Link to="/console/workers" search={{ tab: "tokens" }}>
              {words.token}
            </Link>
          }
        />
      </p>
      <div className={kit.actions}>
        <LinkButton small to="/console/workers">
          {words.seeWorkers}
        </LinkButton>
      </div>
    </>
  );
}
