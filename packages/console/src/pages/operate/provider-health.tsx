// The health of one provider, by the credential that calls used. Nothing before the first call.
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { providers } from "#strings/providers";
import { providerHealthQuery } from "../../api/admin.ts";
import { Chip } from "../../ui/chip.tsx";
import { Ago, formatDuration, formatPercent } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { FaultNote } from "../../ui/states.tsx";
import styles from "./operate.module.css";

const words = providers.one;

export function ProviderHealth({ name }: { readonly name: string }): ReactNode {
  const { data, error, refetch } = useQuery(providerHealthQuery);
  if (error && data === undefined)
    return (
      <Panel title={words.health}>
        <FaultNote fault={error} retry={refetch} />
      </Panel>
    );
  const entries = data?.data.filter(({ provider }) => provider === name) ?? [];
  if (entries.length === 0) return null;
  return (
    <Panel title={words.health} actions={<small className={kit.soft}>{words.healthLead}</small>} flush>
      <ul>
        {entries.map(({ workspace_id, credential, circuit, calls, success, latency_ms, last_failure: last }) => (
          <li key={workspace_id ?? ""} className={styles.item}>
            <div className={styles.who}>
              <Heading>
                {words.credentialsOf[credential]}
                <Chip tone={circuit === "closed" ? "ok" : "bad"}>{words.circuits[circuit]}</Chip>
              </Heading>
              <span className={kit.soft}>
                {words.figures(calls.toLocaleString(), formatPercent(success))}
                {latency_ms === null ? "" : ` · ${formatDuration(latency_ms)}`}
              </span>
              {last === null ? null : (
                <span className={kit.soft}>
                  {words.lastFailure} <Ago at={last.at} />: {last.status ?? ""} {last.words}
                </span>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
