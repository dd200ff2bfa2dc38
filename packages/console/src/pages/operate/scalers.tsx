// Processes that start and stop the workers of a pool, and why they could not start one.
import type { ReactNode } from "react";
import { workers } from "#strings/workers";
import type { PoolScaler } from "../../api/admin.ts";
import { Ago } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./operate.module.css";

const words = workers.scalers;

export function Scalers({ of: scalers }: { readonly of: readonly PoolScaler[] }): ReactNode {
  return scalers.map((scaler) => (
    <div key={scaler.id} className={styles.scaler} data-scaler={scaler.id}>
      <div className={kit.soft}>
        {words.follows(scaler.name, scaler.workers_min, scaler.workers_max)}{" "}
        {words.numbers(scaler.workers_wanted, scaler.running, scaler.starting, scaler.draining)}
      </div>
      {scaler.failure ? (
        <>
          <div className={styles.wrong}>
            {scaler.failure.message} <Rich text={words.retry} when={<Ago at={scaler.failure.at} />} />
          </div>
          <pre className={styles.lastLines}>{scaler.failure.lines.join("\n")}</pre>
        </>
      ) : null}
    </div>
  ));
}
