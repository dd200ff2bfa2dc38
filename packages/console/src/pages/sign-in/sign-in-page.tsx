// Sign-in for a person without a link: the issuer if one is configured, how to get a link, or the operator's token.

import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { CircleAlert, LogIn } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { configQuery } from "../../api/config.ts";
import { faultOf } from "../../api/fault.ts";
import { addressOf } from "../../api/operation.ts";
import { operations } from "../../api/operations.ts";
import { setTypedToken } from "../../api/session.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { CodeBlock, CopyId } from "../../ui/copy.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { FaultNote } from "../../ui/states.tsx";
import { keepReturn, ownPath } from "./go-on.ts";
import styles from "./sign-in.module.css";
import { WayIn } from "./way-in.tsx";

export function SignInPage(): ReactNode {
  const { return_to: returnTo, problem, request } = useSearch({ from: "/sign-in" });
  const { data: config } = useQuery(configQuery);
  useEffect(() => keepReturn(returnTo), [returnTo]);
  if (config === undefined) return null;
  if (config.auth === "token") return <TypedToken />;
  const { oidc } = config.sign_in;
  return (
    <WayIn title="Sign in" lead="There is no password here.">
      <SignedInAlready />
      {problem === undefined ? null : <Problem problem={problem} request={request ?? null} />}
      {oidc === null ? null : (
        <a
          className={buttonClass({ look: "primary" }, styles.wide)}
          href={`${oidc.url}?return_to=${encodeURIComponent(ownPath(returnTo))}`}
        >
          <LogIn aria-hidden="true" />
          Sign in with {oidc.name}
        </a>
      )}
      <h2>{oidc === null ? "Get a link" : "Or with a link"}</h2>
      <p>
        A link signs you in once, within ten minutes. On the machine that runs Atelier this makes one and opens your
        browser:
      </p>
      <CodeBlock code="atelier open" label="Command" />
      <p className={kit.soft}>
        <code>atelier keys link</code> prints it instead. The very first start prints one, too, or names the file that
        holds it. No access to that machine? Ask its operator, or an owner of your workspace.
      </p>
    </WayIn>
  );
}

// Uses only the cookie: this page must not depend on being signed in.
function SignedInAlready(): ReactNode {
  const { return_to: returnTo } = useSearch({ from: "/sign-in" });
  const { data: name } = useQuery({
    queryKey: ["sign-in", "already"],
    retry: 0,
    queryFn: async ({ signal }): Promise<string | null> => {
      const response = await fetch(addressOf(operations.getAccount), { signal });
      // Always read the body; an unread one stays open.
      const { person } = (await response.json()) as { person?: { name: string } };
      return response.ok ? (person?.name ?? null) : null;
    },
  });
  if (!name) return null;
  return (
    <>
      <p>You are signed in as {name}.</p>
      <a className={buttonClass({}, styles.wide)} href={ownPath(returnTo)}>
        Go on
      </a>
    </>
  );
}

const problems: Readonly<Record<string, readonly [title: string, words: string]>> = {
  issuer_away: ["The sign-in provider does not answer", "Try again in a moment. Links go on working meanwhile."],
  began_elsewhere: [
    "This sign-in was begun elsewhere",
    "It began in another browser, at another address of this server, or more than ten minutes ago. Begin again here.",
  ],
  denied: ["The sign-in provider did not sign you in", "You may have stopped it there. Begin again."],
  invalid: [
    "The sign-in provider's answer could not be believed",
    "Begin again. If it happens again, tell the operator the request id.",
  ],
  not_allowed: [
    "You may not enter here",
    "You are signed in at the provider, but this server does not let your account in. Ask its operator.",
  ],
  unverified: [
    "Your e-mail address is not verified",
    "Only addresses that the sign-in provider has verified may enter here. Verify yours there, then begin again.",
  ],
  not_set_up: ["No sign-in provider is set up here", "Use a link."],
};

function Problem({ problem, request }: { readonly problem: string; readonly request: string | null }): ReactNode {
  const [title, words] = problems[problem] ?? ["Signing in did not work", "Begin again."];
  return (
    <div className={kit.fault} role="alert">
      <Heading>
        <CircleAlert aria-hidden="true" />
        {title}
      </Heading>
      <p>{words}</p>
      {request === null ? null : (
        <span className={kit.soft}>
          Request <CopyId id={request} />
        </span>
      )}
    </div>
  );
}

// For a server without accounts whose operator has set a token. The token stays in memory, so we must not leave this document.
function TypedToken(): ReactNode {
  const { return_to: returnTo } = useSearch({ from: "/sign-in" });
  const navigate = useNavigate();
  const [text, setText] = useState("");
  // Try it before accepting it: a wrong one would only lead back here.
  const enter = useMutation({
    mutationFn: async (token: string) => {
      const response = await fetch(addressOf(operations.listJobs, { query: { limit: 1 } }), {
        headers: { authorization: `Bearer ${token}` },
      });
      if (response.status !== 401 && !response.ok) throw await faultOf(response);
      await response.text();
      if (response.status === 401) return false;
      setTypedToken(token);
      void navigate({ href: ownPath(returnTo) });
      return true;
    },
  });
  return (
    <WayIn title="This server asks for a token" lead="Its operator has set one. It is forgotten with this tab.">
      <form
        className={styles.parts}
        onSubmit={(event) => {
          event.preventDefault();
          enter.mutate(text.trim());
        }}
      >
        <TextField
          label="Token"
          type="password"
          autoComplete="off"
          required
          value={text}
          wrong={enter.data === false ? "This is not the token that the operator set." : null}
          onChange={(event) => {
            enter.reset();
            setText(event.target.value);
          }}
        />
        {enter.error ? <FaultNote fault={enter.error} retry={() => enter.mutate(text.trim())} /> : null}
        <Button look="primary" type="submit" why={text.trim() === "" ? "Type the token first." : null}>
          Go on
        </Button>
      </form>
    </WayIn>
  );
}
