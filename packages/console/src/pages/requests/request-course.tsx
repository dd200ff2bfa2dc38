// Where a request's time went, as one bar: in the queue, at the provider, and here.
import type { AccountRequest } from "@atelier/sdk";
import type { ReactNode } from "react";
import { requests } from "#strings/requests";
import { formatDuration } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import styles from "./requests.module.css";
import { partsOf } from "./time-parts.ts";

const words = requests.time;

export function Course({ request }: { readonly request: AccountRequest }): ReactNode {
  const parts = partsOf(request);
  const whole = parts.reduce((sum, { ms }) => sum + ms, 0);
  if (request.outcome === null) return <p className={kit.soft}>{words.running}</p>;
  if (request.replayed) return <p className={kit.soft}>{words.replayed(formatDuration(request.total_ms))}</p>;
  const named = parts.map(({ name, ms }) => `${name} ${formatDuration(ms)}`).join(", ");
  return (
    <div className={styles.course}>
      <div className={styles.bar} role="img" aria-label={words.chart(formatDuration(whole), named)}>
        {parts.map(({ name, ms, colour }) => (
          <i key={name} style={{ flexGrow: Math.max(ms, whole / 200), background: `var(--${colour})` }} />
        ))}
      </div>
      <ul className={styles.parts}>
        {parts.map(({ name, ms, colour }) => (
          <li key={name}>
            <i style={{ background: `var(--${colour})` }} aria-hidden="true" />
            {name} <b>{formatDuration(ms)}</b>
          </li>
        ))}
        <li className={styles.sum}>
          {words.total} <b>{formatDuration(whole)}</b>
        </li>
      </ul>
    </div>
  );
}
