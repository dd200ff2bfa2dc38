import { useQuery } from "@tanstack/react-query";
import { useRouter, useRouterState } from "@tanstack/react-router";
import { type MouseEvent, type ReactNode, useRef } from "react";
import { accountQuery } from "../api/account.ts";
import { configQuery } from "../api/config.ts";
import { useGoing } from "./going.ts";
import type { NavigationEntry } from "./navigation.ts";
import { PageList } from "./page-list.tsx";

export function SideBar(): ReactNode {
  const router = useRouter();
  const looking = useRef<ReturnType<typeof setTimeout>>(undefined);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const going = useGoing();
  const { data: config } = useQuery(configQuery);
  const { data: account } = useQuery({ ...accountQuery, enabled: config?.auth === "session" });
  const isShown = (entry: NavigationEntry) =>
    (config?.surface !== "self_hosted" || entry.selfHosted === true) &&
    (!entry.sold || config?.sells_credits === true) &&
    (!entry.operators || account?.is_operator === true || account?.installation_role === "auditor");
  const follow = (event: MouseEvent<HTMLAnchorElement>, to: string) => {
    if (event.defaultPrevented || event.button !== 0) return;
    // Another tab or window, or a download: leave it to the browser.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    clearTimeout(looking.current);
    void router.navigate({ to });
  };
  return (
    <PageList
      current={going ?? path}
      isShown={isShown}
      hasReference={config?.surface !== "self_hosted"}
      onFollow={follow}
      onLookAt={(to) => {
        clearTimeout(looking.current);
        looking.current = setTimeout(() => void router.preloadRoute({ to }).catch(() => undefined), 60);
      }}
    />
  );
}
