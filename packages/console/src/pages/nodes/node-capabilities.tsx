// What the code of a version can do, as the registry has read it: in words, and on request every place and what is new.

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { nodes } from "#strings/nodes";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { keyed } from "../../ui/keyed.ts";
import kit from "../../ui/kit.module.css";
import { Stack } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import styles from "./nodes.module.css";
import { capabilitiesQuery, type NodeVersion } from "./registry-queries.ts";

const words = nodes.capabilities;

export function Capabilities(props: { readonly version: NodeVersion; readonly isOpen?: boolean }): ReactNode {
  const { version } = props;
  const [isOpen, setOpen] = useState(props.isOpen ?? false);
  const can = version.capabilities;
  if (can === undefined) return null;
  if (can.length === 0) return <p className={kit.soft}>{words.none}</p>;
  // What happens at import says more than that it happens.
  const shown = can.filter((word) => !can.includes(`${word}_at_import`));
  return (
    <Stack>
      <div className={kit.actions}>
        {shown.map((word) => (
          <Chip key={word} tone={word.endsWith("_at_import") ? "warn" : "plain"}>
            {nameOf(word)}
          </Chip>
        ))}
        <Button small look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? words.hide : words.show}
        </Button>
      </div>
      {isOpen ? <Uses version={version} /> : null}
    </Stack>
  );
}

function nameOf(word: string): string {
  const kind = word.replace(/_at_import$/, "");
  const name = words.kinds[kind] ?? kind;
  return kind === word ? name : words.atImport(name);
}

function Uses({ version }: { readonly version: NodeVersion }): ReactNode {
  const { data, error, isPending, refetch } = useQuery(capabilitiesQuery(version.node_id, version.version));
  if (error) return <FaultNote fault={error} retry={refetch} />;
  if (isPending) return <Skeleton height="6rem" />;
  return (
    <>
      {data.compared_with !== undefined && data.added.length === 0 ? (
        <p className={kit.soft}>{words.nothingNew(data.compared_with)}</p>
      ) : null}
      {data.added.length > 0 ? (
        <ul className={styles.findings} aria-label={words.added(data.compared_with ?? "")}>
          {keyed(data.added, ({ text }) => text).map(([key, use]) => (
            <li key={key}>{use.text}</li>
          ))}
        </ul>
      ) : null}
      <ul className={styles.history} aria-label={words.all(version.version)}>
        {keyed(data.uses, ({ kind, name, file, line }) => `${kind} ${name} ${file} ${line ?? ""}`).map(([key, use]) => (
          <li key={key}>
            {nameOf(use.at_import ? `${use.kind}_at_import` : use.kind)}: <code>{use.name}</code>{" "}
            <code>{use.line === undefined ? use.file : `${use.file}:${use.line}`}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
