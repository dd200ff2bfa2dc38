// What load balancers and monitors ask, and where.

import { useQuery } from "@tanstack/react-query";
import { Check, Download, ExternalLink, X } from "lucide-react";
import type { ReactNode } from "react";
import { system as words } from "#strings/system";
import { callRaw } from "../../api/client.ts";
import { faultOf } from "../../api/fault.ts";
import { addressOf } from "../../api/operation.ts";
import { operations } from "../../api/operations.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { Chip } from "../../ui/chip.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Pending } from "../../ui/states.tsx";
import { saveFile } from "../../ui/viewers/save-file.ts";
import styles from "./operate.module.css";

const paths = {
  ready: addressOf(operations.getReadiness),
  live: addressOf(operations.getLiveness),
  metrics: addressOf(operations.getMetrics),
};

interface Verdict {
  readonly status: "ready" | "not_ready";
  readonly checks: Readonly<Record<string, { readonly status: "ok" | "failing"; readonly message?: string }>>;
}

export function Readiness({ why }: { readonly why: string | null }): ReactNode {
  const { data, error, refetch } = useQuery({
    queryKey: ["readyz"],
    refetchInterval: 10_000,
    // Not ready is an answer, not a failure.
    queryFn: async ({ signal }): Promise<Verdict> => {
      const response = await fetch(paths.ready, { signal });
      if (response.ok || response.status === 503) return response.json();
      throw await faultOf(response);
    },
  });
  return (
    <Panel title={words.readiness.title} actions={data ? <ReadyChip isReady={data.status === "ready"} /> : null}>
      {data === undefined ? (
        <Pending fault={error} retry={refetch} height="7rem" />
      ) : (
        <ul className={styles.ready}>
          {Object.entries(data.checks).map(([name, { status, message }]) => (
            <li key={name}>
              <span className={styles.name}>{name}</span>
              <Chip tone={status === "ok" ? "ok" : "bad"} icon={status === "ok" ? Check : X}>
                {status === "ok" ? words.readiness.ok : words.readiness.failing}
              </Chip>
              {message ? <span className={kit.soft}>{message}</span> : null}
            </li>
          ))}
        </ul>
      )}
      <div className={styles.links}>
        <a className={buttonClass({ small: true })} href={paths.ready} target="_blank" rel="noreferrer">
          <ExternalLink aria-hidden="true" />
          {paths.ready}
        </a>
        <a className={buttonClass({ small: true })} href={paths.live} target="_blank" rel="noreferrer">
          <ExternalLink aria-hidden="true" />
          {paths.live}
        </a>
        <Metrics why={why} />
      </div>
    </Panel>
  );
}

function ReadyChip({ isReady }: { readonly isReady: boolean }): ReactNode {
  return (
    <Chip tone={isReady ? "ok" : "bad"} icon={isReady ? Check : X}>
      {isReady ? words.readiness.ready : words.readiness.notReady}
    </Chip>
  );
}

// Metrics need a credential, which a link cannot carry, so we fetch them and offer them as a file.
function Metrics({ why }: { readonly why: string | null }): ReactNode {
  const fetching = useChange({
    change: async () => (await callRaw(operations.getMetrics)).text(),
    after: (text) => saveFile(new Blob([text], { type: "text/plain" }), "metrics.txt"),
    failed: words.readiness.metricsFailed,
  });
  return (
    <Button small why={why} disabled={fetching.isPending} onClick={() => fetching.mutate()}>
      <Download aria-hidden="true" />
      {paths.metrics}
    </Button>
  );
}
