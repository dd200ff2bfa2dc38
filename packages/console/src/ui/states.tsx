// The three states other than the content: empty, loading, failed. Each says what to do next.

import { useQuery } from "@tanstack/react-query";
import { CircleAlert, type LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { shared } from "#strings/shared";
import { ui } from "#strings/ui";
import { configQuery } from "../api/config.ts";
import { type ApiFault, asFault } from "../api/fault.ts";
import { useReach } from "../api/reach.ts";
import { Button, buttonClass, LinkButton } from "./button.tsx";
import { CopyId } from "./copy.tsx";
import { Heading } from "./heading.tsx";
import kit from "./kit.module.css";
import { Rich } from "./text/rich.tsx";
import { signInAddress } from "./toast-store.ts";

const words = ui.fault;

export function Empty(props: {
  readonly icon?: LucideIcon;
  readonly title: string;
  // 1 if it is all the page says.
  readonly level?: 1 | 2;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}): ReactNode {
  const Icon = props.icon;
  const Title = props.level === 1 ? "h1" : "h2";
  return (
    <div className={kit.empty}>
      {Icon ? <Icon aria-hidden="true" /> : null}
      <Title>{props.title}</Title>
      {props.children ? <div className={kit.soft}>{props.children}</div> : null}
      {props.actions ? <div className={kit.actions}>{props.actions}</div> : null}
    </div>
  );
}

// Grey shapes in the size of the content. They appear after 150 ms, so that a quick answer shows none.
export function Skeleton(props: {
  readonly height: string;
  readonly width?: string;
  readonly count?: number;
}): ReactNode {
  return (
    <div aria-hidden="true" style={{ display: "grid", gap: "0.6rem" }}>
      {[...new Array(props.count ?? 1).keys()].map((number) => (
        <div key={number} className={kit.skeleton} style={{ height: props.height, width: props.width ?? "100%" }} />
      ))}
    </div>
  );
}

// In place of what has not arrived: its shape in grey, or why it failed.
export function Pending({
  height,
  width,
  count,
  className,
  ...failed
}: ComponentProps<typeof Skeleton> &
  Omit<ComponentProps<typeof FaultNote>, "children"> & {
    // Around the shape: the space that the content has in its panel.
    readonly className?: string | undefined;
  }): ReactNode {
  if (failed.fault) return <FaultNote {...failed} />;
  const shape = <Skeleton height={height} {...(width ? { width } : {})} {...(count ? { count } : {})} />;
  return className === undefined ? shape : <div className={className}>{shape}</div>;
}

export function FaultNote(props: {
  readonly fault: unknown;
  readonly title?: string;
  // The title if the requested thing no longer exists.
  readonly gone?: string;
  readonly retry?: () => unknown;
  // Other ways to go, next to trying again.
  readonly ways?: ReactNode;
  readonly children?: ReactNode;
}): ReactNode {
  const fault = asFault(props.fault);
  const { lostAt } = useReach();
  // The banner says it for the whole page.
  if (fault.status === 0 && lostAt !== null) return <p className={kit.waiting}>{words.waiting}</p>;
  return (
    <div className={kit.fault} role="alert">
      <Heading>
        <CircleAlert aria-hidden="true" />
        {props.title ?? (fault.status === 404 ? props.gone : undefined) ?? titleOf(fault)}
      </Heading>
      <p>{fault.message}</p>
      {adviceOf(fault) ? <p className={kit.soft}>{adviceOf(fault)}</p> : null}
      {props.children}
      <div className={kit.actions}>
        {props.retry ? (
          <Button small onClick={props.retry}>
            {shared.tryAgain}
          </Button>
        ) : null}
        {props.ways}
        {wayOf(fault)}
        {fault.status >= 400 && fault.code && /^[a-z][a-z0-9_]*$/.test(fault.code) ? (
          <MeaningLink code={fault.code} />
        ) : null}
        {fault.requestId ? (
          <span className={kit.soft}>
            <Rich text={words.request} id={<CopyId id={fault.requestId} />} />
          </span>
        ) : null}
      </div>
    </div>
  );
}

// To the code's row in the documents, which the server has. The self-hosted surface has none.
function MeaningLink({ code }: { readonly code: string }): ReactNode {
  const { data: config } = useQuery(configQuery);
  if (config?.surface !== "cloud") return null;
  return (
    <a className={buttonClass({ small: true, look: "quiet" })} href={`/docs/guides/errors#${code}`}>
      {words.meaning}
    </a>
  );
}

function titleOf(fault: ApiFault): string {
  if (fault.code === "workspace_changed") return words.workspaceChanged;
  if (fault.status === 0) return words.unreachable;
  return titles[fault.status] ?? (fault.status >= 500 ? words.server : words.other);
}

const titles: Readonly<Record<number, string>> = words.titles;

// Where to go from here if trying again does not help.
function wayOf({ status, code }: ApiFault): ReactNode {
  if (code === "workspace_changed")
    return (
      <Button small onClick={() => location.reload()}>
        {words.reload}
      </Button>
    );
  if (status === 402)
    return (
      <LinkButton small to="/console/usage">
        {words.seeCredits}
      </LinkButton>
    );
  const isAgain = code === "sign_in_again";
  if (!(isAgain || status === 401) || location.pathname.startsWith("/sign-in")) return null;
  return (
    <a className={buttonClass({ small: true })} href={signInAddress()}>
      {isAgain ? shared.signInAgain : shared.signIn}
    </a>
  );
}

// What to do, if the server's message does not say it.
function adviceOf(fault: ApiFault): string | null {
  if (fault.status === 0) return words.advice.unreachable;
  if (fault.status === 401) return words.advice.signedOut;
  if (fault.status === 404) return words.advice.gone;
  if (fault.status === 402) return words.advice.credits;
  if (fault.status === 403) return fault.code === "sign_in_again" ? null : words.advice.forbidden;
  if (fault.retryAfter !== null && !/try again in/i.test(fault.message))
    return words.advice.retryAfter(fault.retryAfter);
  return null;
}
