// The page of a one-time link: whom it would sign in, and the button for it. On this machine the page presses the button itself;
// elsewhere a person does, so that a program that merely looks at the link does not use it up.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { call } from "../../api/client.ts";
import { asFault } from "../../api/fault.ts";
import { operations } from "../../api/operations.ts";
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
    queryKey: ["sign-in", "link", token],
    retry: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => call(operations.confirmSignIn, { ...asked, signal }),
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
      <WayIn title="Sign in">
        <Skeleton height="2.4rem" />
      </WayIn>
    );
  const { name } = look.data.person;
  const isOnTheWay = enter.isPending || enter.isSuccess || isThisMachine;
  return (
    <WayIn title={`Sign in as ${name}`} lead="This uses the link up and signs this browser in for up to 30 days.">
      <Button look="primary" onClick={() => mutate()} why={isOnTheWay ? "You are being signed in." : null}>
        {isOnTheWay ? "Signing in …" : "Sign in"}
      </Button>
    </WayIn>
  );
}

const fates: Readonly<Record<string, readonly [title: string, words: string]>> = {
  used: ["This link was used already", "A link signs in once. If it was not you, tell the operator of this server."],
  expired: ["This link is too old", "A link works for ten minutes."],
  unknown: ["This link is unknown", "It may be cut short, or belong to another server."],
};

function LinkFault({ fault }: { readonly fault: unknown }): ReactNode {
  const { body } = asFault(fault);
  const fate = fates[fateIn(body) ?? ""];
  const getOne = <LinkButton to="/sign-in">How to get a new link</LinkButton>;
  if (fate === undefined)
    return (
      <WayIn title="Sign in">
        <FaultNote fault={fault} retry={() => location.reload()} />
        {getOne}
      </WayIn>
    );
  return (
    <WayIn title={fate[0]}>
      <p role="alert">{fate[1]}</p>
      <p className={kit.soft}>You may be signed in already: open the console and see.</p>
      <div className={kit.actions}>
        {getOne}
        <LinkButton to="/" look="quiet">
          Open the console
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
