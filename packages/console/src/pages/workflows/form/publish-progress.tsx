// Shown while the examples run: how long they have taken, and where to watch them.
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { workForm } from "#strings/works/form";
import { formatDuration, useNow } from "../../../ui/figures.tsx";
import kit from "../../../ui/kit.module.css";
import styles from "./form.module.css";

const words = workForm.publish;

export function PublishProgress({ count }: { readonly count: number }): ReactNode {
  const [startedAt] = useState(() => Date.now());
  const now = useNow(1_000);
  const ms = Math.max(0, Math.floor((now - startedAt) / 1_000)) * 1_000;
  return (
    <div className={styles.progress}>
      <div className={styles.pulse} aria-hidden="true" />
      <p role="status">
        <strong>{count === 0 ? words.sending : words.running(count)}</strong>
      </p>
      <p className={styles.elapsed}>{formatDuration(ms)}</p>
      <p className={kit.soft}>{words.wait}</p>
      {count === 0 ? null : (
        <Link to="/console/jobs" target="_blank">
          {words.jobs}
        </Link>
      )}
    </div>
  );
}
