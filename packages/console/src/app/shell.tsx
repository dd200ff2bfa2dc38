// The frame around every page: navigation, workspace, search, server state, theme, profile.

import { useQuery } from "@tanstack/react-query";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { Menu as MenuIcon, Monitor, Moon, Search, Sun, UserRound } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { app as words } from "#strings/app";
import { configQuery } from "../api/config.ts";
import { addressOf } from "../api/operation.ts";
import { operations } from "../api/operations.ts";
import { useReach } from "../api/reach.ts";
import { isWorkPage } from "../api/works/link-key.ts";
import { IconButton, LinkButton } from "../ui/button.tsx";
import { chooseTheme, type Theme, useTheme } from "../ui/theme.ts";
import { Toasts } from "../ui/toast.tsx";
import { useGoing } from "./going.ts";
import { LostBanner } from "./lost-banner.tsx";
import styles from "./shell.module.css";
import { SideBar } from "./side-bar.tsx";
import { WorkspaceChoice } from "./workspace-choice.tsx";

const KeysHelp = lazy(() => import("./keys-help.tsx").then(({ KeysHelp: component }) => ({ default: component })));
const Palette = lazy(() => import("./palette.tsx").then(({ Palette: component }) => ({ default: component })));

export function Shell(): ReactNode {
  const path = useRouterState({ select: (state) => state.location.pathname });
  // Made for people who never see the console.
  if (isWorkPage(path))
    return (
      <>
        <main id="page">
          <Outlet />
        </main>
        <Toasts />
      </>
    );
  const isBare = path.startsWith("/sign-in");
  return isBare ? (
    <>
      <main className={styles.page} id="page">
        <Outlet />
      </main>
      <Toasts />
    </>
  ) : (
    <Frame path={path} />
  );
}

function Frame({ path }: { readonly path: string }): ReactNode {
  const [isFinding, setFinding] = useState(false);
  const [isHelping, setHelping] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const drawer = useRef<HTMLDialogElement>(null);
  const page = useRef<HTMLElement>(null);
  const known = useRef(path);
  useKeys({ onFind: () => setFinding(true), onHelp: () => setHelping(true) });
  // On a new page the drawer closes and the focus moves to the page, as it would with a new document.
  useEffect(() => {
    setMenuOpen(false);
    if (known.current !== path) page.current?.focus({ preventScroll: true });
    known.current = path;
  }, [path]);
  useEffect(() => {
    if (isMenuOpen) drawer.current?.showModal();
    else drawer.current?.close();
  }, [isMenuOpen]);
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#page">
        {words.skip}
      </a>
      <SideBar />
      <dialog ref={drawer} className={styles.drawer} aria-label={words.menu} onClose={() => setMenuOpen(false)}>
        {isMenuOpen ? <SideBar /> : null}
      </dialog>
      <header className={styles.bar}>
        <div className={styles.burger}>
          <IconButton label={words.menu} onClick={() => setMenuOpen(true)}>
            <MenuIcon aria-hidden="true" />
          </IconButton>
        </div>
        <WorkspaceChoice />
        <button
          type="button"
          className={styles.search}
          aria-keyshortcuts="Control+K Meta+K"
          onClick={() => setFinding(true)}
        >
          <Search aria-hidden="true" />
          <span>{words.search}</span>
          <kbd>Ctrl K</kbd>
        </button>
        <ServerState />
        <ThemeButton />
        <Me />
      </header>
      <GoingLine />
      <main ref={page} id="page" className={styles.page} tabIndex={-1}>
        <LostBanner />
        <Outlet />
      </main>
      <Suspense>
        {isFinding ? <Palette onClose={() => setFinding(false)} onHelp={() => setHelping(true)} /> : null}
        {isHelping ? <KeysHelp onClose={() => setHelping(false)} /> : null}
      </Suspense>
      <Toasts />
    </div>
  );
}

// If a page takes long to load, a line appears below the bar after a moment.
function GoingLine(): ReactNode {
  return useGoing() === null ? null : <div className={styles.going} aria-hidden="true" />;
}

// Ctrl K finds, ? shows the keys. A question mark that is typed into something is only that.
function useKeys(given: { readonly onFind: () => void; readonly onHelp: () => void }): void {
  const latest = useRef(given);
  latest.current = given;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isFind = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
      const isHelp = event.key === "?" && !isTyping(event.target) && document.querySelector("dialog[open]") === null;
      if (!isFind && !isHelp) return;
      event.preventDefault();
      if (isFind) latest.current.onFind();
      else latest.current.onHelp();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(":is(input,textarea,select)"));

// Polled rarely: people look here when something seems wrong.
function ServerState(): ReactNode {
  const { data: config } = useQuery(configQuery);
  const path =
    config?.surface === "self_hosted" ? addressOf(operations.getWorkflowHealth) : addressOf(operations.getReadiness);
  const { lostAt } = useReach();
  const { data: answered } = useQuery({
    queryKey: ["readiness", path],
    refetchInterval: 20_000,
    retry: 0,
    queryFn: ({ signal }) =>
      fetch(path, { signal }).then(
        (response) => response.ok,
        () => false,
      ),
  });
  // It never says more than the banner of an outage.
  const isWell = lostAt === null ? answered : false;
  // Reserves its space, so nothing moves when it appears.
  if (isWell === undefined) return <span className={styles.state} />;
  return (
    <a className={styles.state} data-well={isWell} href={path} title={isWell ? words.readyTitle : words.notReadyTitle}>
      <i aria-hidden="true" />
      <span>{isWell ? words.ready : words.notReady}</span>
    </a>
  );
}

const nextTheme: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };

function ThemeButton(): ReactNode {
  const theme = useTheme();
  const Icon = { system: Monitor, light: Sun, dark: Moon }[theme];
  return (
    <IconButton label={words.theme[theme]} onClick={() => chooseTheme(nextTheme[theme])}>
      <Icon aria-hidden="true" />
    </IconButton>
  );
}

function Me(): ReactNode {
  const { data: config } = useQuery(configQuery);
  if (config?.auth !== "session") return null;
  return (
    <LinkButton to="/console/you" look="quiet" iconOnly aria-label={words.profile}>
      <UserRound aria-hidden="true" />
    </LinkButton>
  );
}
