// What the caller sent and what it was answered, if the workspace keeps that; otherwise how to turn it on.
import type { AccountRequest, RequestBodies, RequestBody } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { requests } from "#strings/requests";
import { accountQuery } from "../../api/account.ts";
import { requestBodiesQuery, valueOfBody } from "../../api/model-calls/request-bodies.ts";
import { CodeBlock } from "../../ui/copy.tsx";
import { Ago, formatBytes } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel, Stack } from "../../ui/panel.tsx";
import { FaultNote } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { JsonTree } from "../../ui/viewers/json-tree.tsx";
import styles from "./requests.module.css";

const words = requests.bodies;

export function Bodies({ request }: { readonly request: AccountRequest }): ReactNode {
  const { data: bodies, error, refetch } = useQuery(requestBodiesQuery(request.request_id));
  if (bodies === undefined)
    return error === null ? null : (
      <Panel title={words.title}>
        <FaultNote fault={error} retry={refetch} />
      </Panel>
    );
  if (bodies.answer === null && bodies.input === null) return <NotKept bodies={bodies} />;
  return (
    <>
      <Panel title={words.input}>
        {bodies.input === null ? (
          <p className={kit.soft}>{words.inputLost}</p>
        ) : (
          <Body of={bodies.input} label={words.input} />
        )}
      </Panel>
      {bodies.answer === null ? null : (
        <Panel
          title={words.answer}
          actions={bodies.status === null ? null : <span className={kit.soft}>{words.status(bodies.status)}</span>}
        >
          <Stack>
            <Body of={bodies.answer} label={words.answer} />
            <p className={styles.ends}>
              <Lock aria-hidden="true" />
              <span>
                {bodies.expires_at === null ? null : <Rich text={words.ends} time={<Ago at={bodies.expires_at} />} />}
              </span>
            </p>
          </Stack>
        </Panel>
      )}
    </>
  );
}

function Body({ of, label }: { readonly of: RequestBody; readonly label: string }): ReactNode {
  const value = valueOfBody(of);
  if (of.text === null) {
    const size = formatBytes(of.bytes);
    const type = of.content_type ?? words.unknownType;
    return (
      <Stack>
        <p>{of.kind === "file" ? words.file(type, size) : words.tooLarge(size)}</p>
        <p className={kit.soft}>
          {words.hash} <code className={styles.hash}>{of.sha256}</code>
        </p>
      </Stack>
    );
  }
  const files = of.removed.filter(({ what }) => what === "file").length;
  const secrets = of.removed.length - files;
  return (
    <Stack>
      {value === undefined ? <CodeBlock wrap label={label} code={of.text} /> : <JsonTree value={value} label={label} />}
      {files + secrets === 0 ? null : (
        <p className={kit.soft}>
          {[...(files ? [words.files(files)] : []), ...(secrets ? [words.secrets] : [])].join(" ")}
        </p>
      )}
    </Stack>
  );
}

function NotKept({ bodies }: { readonly bodies: RequestBodies }): ReactNode {
  const { data: account } = useQuery(accountQuery);
  if (bodies.keeping) return <Panel title={words.title}>{<p className={kit.soft}>{words.gone}</p>}</Panel>;
  const page = (
    <Link to="/console/members" search={{ tab: "keeping" }}>
      {words.page}
    </Link>
  );
  return (
    <Panel title={words.title}>
      <p className={kit.soft}>
        <Rich text={account?.role === "owner" ? words.turnOn : words.askOwner} page={page} />
      </p>
    </Panel>
  );
}
