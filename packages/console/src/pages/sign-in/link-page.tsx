// The page of a one-time link: whom it would sign in, and the button for it. On this machine the page presses the button itself;
// elsewhere a person does, so that a program that merely looks at the link does not use it up.

import { useMutation, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { signIn as words } from "#strings/sign-in";
import { call } from "../../api/client.ts";
import { asFault } from "../../api/fault.ts";
import { operations } from "../../api/operations.ts";
import { readQuery } from "../../api/read-query.ts";
import { forgetToken } from "../../api/session.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import kit from "../../ui/kit.module.css";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { takeReturn } from "./go-on.ts";
import { WayIn } from "./way-in.tsx";

const isThisMachine = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);

export function LinkPage(): ReactNode {
  const { token } = useParams({ from: "/sign-in/$token" });
  const asked = { params: { token }, headers: { accept: "application/json" }, as: "session" } as const;
  const look = useQuery({
    ...readQuery(["sign-in", "link", token], operations.confirmSignIn, asked),
    retry: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const enter = useMutation({
    mutationFn: async () => {
      await call(operations.signIn, {
        ...asked,
        headers: { ...asked.headers, "content-type": "application/json" },
        body: "{}",
      });
      forgetToken();
      // Replaces the link in the history, so that going back leads to the page before it.
      location.replace(takeReturn());
    },
  });
  const { mutate } = enter;
  const isPressed = useRef(false);
  const isGood = look.data !== undefined;
  useEffect(() => {
    if (!isGood || !isThisMachine || isPressed.current) return;
    isPressed.current = true;
    mutate();
  }, [isGood, mutate]);
  const fault = enter.error ?? look.error;
  if (fault) return <LinkFault fault={fault} />;
  if (look.data === undefined)
    return (
      <WayIn title={words.title}>
        <Skeleton height="2.4rem" />
      </WayIn>
    );
  const { name } = look.data.person;
  const isOnTheWay = enter.isPending || enter.isSuccess || isThisMachine;
  return (
    <WayIn title={words.link.title(name)} lead={words.link.lead}>
      <Button look="primary" onClick={() => mutate()} why={isOnTheWay ? words.link.signingInWhy : null}>
        {isOnTheWay ? words.link.signingIn : words.link.signIn}
      </Button>
    </WayIn>
  );
}

const fates: Readonly<Record<string, { readonly title: string; readonly text: string }>> = words.link.fates;

function LinkFault({ fault }: { readonly fault: unknown }): ReactNode {
  const { body } = asFault(fault);
  const fate = fates[fateIn(body) ?? ""];
  const getOne = <LinkButton to="/sign-in">{words.link.newLink}</LinkButton>;
  if (fate === undefined)
    return (
      <WayIn title={words.title}>
        <FaultNote fault={fault} retry={() => location.reload()} />
        {getOne}
      </WayIn>
    );
  return (
    <WayIn title={fate.title}>
      <p role="alert">{fate.text}</p>
      <p className={kit.soft}>{words.link.maybeSignedIn}</p>
      <div className={kit.actions}>
        {getOne}
        <LinkButton to="/" look="quiet">
          {words.link.openConsole}
        </LinkButton>
      </div>
    </WayIn>
  );
}

function fateIn(body: unknown): string | null {
  const details = typeof body === "object" && body !== null && "details" in body ? body.details : null;
  const link = typeof details === "object" && details !== null && "link" in details ? details.link : null;
  return typeof link === "string" ? link : null;
}
