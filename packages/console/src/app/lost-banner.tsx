// One banner for an outage: the page may be out of date, and anything that fails meanwhile fails for this reason.

import { useQueryClient } from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { app as words } from "#strings/app";
import { shared } from "#strings/shared";
import { addressOf } from "../api/operation.ts";
import { operations } from "../api/operations.ts";
import { reach, useReach, watched } from "../api/reach.ts";
import { Button } from "../ui/button.tsx";
import { Rich } from "../ui/text/rich.tsx";
import styles from "./shell.module.css";

const lookEveryMs = 3_000;

export function LostBanner(): ReactNode {
  const { lostAt, answeredAt } = useReach();
  const client = useQueryClient();
  const isLost = lostAt !== null;
  useEffect(() => {
    if (!isLost) return;
    const look = () => void watched(fetch(addressOf(operations.getHealth))).catch(() => undefined);
    const timer = setInterval(look, lookEveryMs);
    // Reload everything on the page as soon as the server is back.
    const end = reach.subscribe(() => {
      if (reach.current().lostAt === null) void client.refetchQueries({ type: "active" });
    });
    return () => {
      clearInterval(timer);
      end();
    };
  }, [isLost, client]);
  if (!isLost) return null;
  const since = new Date(answeredAt ?? lostAt).toLocaleTimeString([], { hour: "numeric", minute: "2-digit" });
  return (
    <div className={styles.lost} role="alert">
      <CloudOff aria-hidden="true" />
      <span>
        <Rich text={words.lost.text} title={<strong>{words.lost.title}</strong>} time={since} />
      </span>
      <Button small onClick={() => void client.refetchQueries({ type: "active" })}>
        {shared.tryAgain}
      </Button>
    </div>
  );
}
