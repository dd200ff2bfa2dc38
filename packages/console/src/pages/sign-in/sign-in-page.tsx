// Sign-in for a person without a link: the issuer if one is configured, how to get a link, or the operator's token.

import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { CircleAlert, LogIn } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { signIn as words } from "#strings/sign-in";
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
import { Rich } from "../../ui/text/rich.tsx";
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
    <WayIn title={words.title} lead={words.lead}>
      <SignedInAlready />
      {problem === undefined ? null : <Problem problem={problem} request={request ?? null} />}
      {oidc === null ? null : (
        <a
          className={buttonClass({ look: "primary" }, styles.wide)}
          href={`${oidc.url}?return_to=${encodeURIComponent(ownPath(returnTo))}`}
        >
          <LogIn aria-hidden="true" />
          {words.with(oidc.name)}
        </a>
      )}
      <h2>{oidc === null ? words.getLink : words.orLink}</h2>
      <p>{words.linkText}</p>
      <CodeBlock code="atelier open" label={words.command} />
      <p className={kit.soft}>
        <Rich text={words.linkHint} command={<code>atelier keys link</code>} />
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
      <p>{words.signedInAs(name)}</p>
      <a className={buttonClass({}, styles.wide)} href={ownPath(returnTo)}>
        {words.continue}
      </a>
    </>
  );
}

const problems: Readonly<Record<string, { readonly title: string; readonly text: string }>> = words.problems;

function Problem({ problem, request }: { readonly problem: string; readonly request: string | null }): ReactNode {
  const { title, text } = problems[problem] ?? words.problems.other;
  return (
    <div className={kit.fault} role="alert">
      <Heading>
        <CircleAlert aria-hidden="true" />
        {title}
      </Heading>
      <p>{text}</p>
      {request === null ? null : (
        <span className={kit.soft}>
          <Rich text={words.request} id={<CopyId id={request} />} />
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
    <WayIn title={words.token.title} lead={words.token.lead}>
      <form
        className={styles.parts}
        onSubmit={(event) => {
          event.preventDefault();
          enter.mutate(text.trim());
        }}
      >
        <TextField
          label={words.token.label}
          type="password"
          autoComplete="off"
          required
          value={text}
          wrong={enter.data === false ? words.token.wrong : null}
          onChange={(event) => {
            enter.reset();
            setText(event.target.value);
          }}
        />
        {enter.error ? <FaultNote fault={enter.error} retry={() => enter.mutate(text.trim())} /> : null}
        <Button look="primary" type="submit" why={text.trim() === "" ? words.token.missing : null}>
          {words.continue}
        </Button>
      </form>
    </WayIn>
  );
}
