import { useQuery } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { BookOpen } from "lucide-react";
import type { ReactNode } from "react";
import { accountQuery } from "../api/account.ts";
import { configQuery } from "../api/config.ts";
import mark from "../mark.svg";
import { type NavigationEntry, navigation } from "./navigation.ts";
import styles from "./shell.module.css";

export function SideBar(): ReactNode {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const { data: config } = useQuery(configQuery);
  const { data: account } = useQuery({ ...accountQuery, enabled: config?.auth === "session" });
  const isShown = (entry: NavigationEntry) =>
    (config?.surface !== "self_hosted" || entry.selfHosted) && (!entry.operators || account?.is_operator);
  return (
    <nav className={styles.side} aria-label="Pages">
      <Link to="/" className={styles.brand}>
        <img src={mark} alt="" />
        Atelier
      </Link>
      {navigation.map(({ label, entries }) => {
        const shown = entries.filter(isShown);
        return shown.length === 0 ? null : (
          <div key={label ?? ""} className={styles.group}>
            {label ? <div className={styles.groupLabel}>{label}</div> : null}
            <ul>
              {shown.map((entry) => (
                <li key={entry.to}>
                  <Link
                    to={entry.to}
                    className={styles.entry}
                    {...(isCurrent(entry.to, path) ? { "aria-current": "page" as const } : {})}
                  >
                    <entry.icon aria-hidden="true" />
                    {entry.label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
      {config?.surface === "self_hosted" ? null : (
        <div className={styles.group}>
          <a className={styles.entry} href="/docs">
            <BookOpen aria-hidden="true" />
            API reference
          </a>
        </div>
      )}
    </nav>
  );
}

const isCurrent = (to: string, path: string) => (to === "/" ? path === "/" : path === to || path.startsWith(`${to}/`));
