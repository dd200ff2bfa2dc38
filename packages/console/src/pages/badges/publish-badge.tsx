// For operators: check a badge on the server, see what changes in the map, publish it.

import type { BadgeInputs } from "@atelier/sdk/badges";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, CircleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { badges } from "#strings/badges";
import { accountQuery } from "../../api/account.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { CheckField, TextField } from "../../ui/fields.tsx";
import { keyed } from "../../ui/keyed.ts";
import kit from "../../ui/kit.module.css";
import { Facts, Panel, Stack } from "../../ui/panel.tsx";
import { FaultNote } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { type Badge, latest, mapQuery, type Platform, rowsQuery, type TriedBadge } from "./badge-queries.ts";
import styles from "./badges.module.css";

const words = badges.publish;
const { notOperator } = badges;
const platforms: readonly Platform[] = ["cloud", "local"];

export function PublishBadge(props: {
  readonly nodeId: string;
  readonly badge: Badge;
  readonly cases: readonly BadgeInputs[];
}): ReactNode {
  const { data: account } = useQuery(accountQuery);
  const [chosen, setChosen] = useState<readonly Platform[]>(platforms);
  const [from, setFrom] = useState("0.0.0");
  const [until, setUntil] = useState("");
  const queries = useQueryClient();
  const isOperator = account?.is_operator === true;
  const rows = useQuery({ ...rowsQuery(props.nodeId), enabled: isOperator && props.nodeId !== "" });
  const replaced = rows.data?.data.find((row) => !row.ended && row.from_version === from);
  const row = {
    node_id: props.nodeId,
    platforms: chosen,
    from_version: from,
    until_version: until === "" ? null : until,
    badge: props.badge,
  };
  const attempt = useMutation({
    mutationFn: () => call(operations.tryBadge, { json: { ...row, probes: props.cases } }),
  });
  const publish = useMutation({
    mutationFn: () =>
      replaced === undefined
        ? call(operations.createBadgeRow, { json: row })
        : call(operations.replaceBadgeRow, { params: { badgeRowId: replaced.id }, json: row }),
    onSuccess: async () => {
      toast(words.published(props.nodeId));
      await queries.invalidateQueries({ queryKey: ["badges"] });
    },
  });
  const why = whyNot(isOperator, props.nodeId, chosen, rows.error);
  return (
    <Panel title={words.title}>
      <Stack>
        <PlatformChoice chosen={chosen} onChange={setChosen} />
        <div className={styles.filters}>
          <TextField label={words.from} value={from} onChange={(event) => setFrom(event.target.value)} />
          <TextField
            label={words.until}
            placeholder={words.untilPlaceholder}
            hint={words.untilHint}
            value={until}
            onChange={(event) => setUntil(event.target.value)}
          />
        </div>
        <Change nodeId={props.nodeId} badge={props.badge} platform={chosen[0] ?? "cloud"} />
        <div className={kit.actions}>
          <Button does={operations.tryBadge} why={why} disabled={attempt.isPending} onClick={() => attempt.mutate()}>
            {words.check}
          </Button>
          <Button
            does={operations.createBadgeRow}
            look="primary"
            why={why}
            disabled={publish.isPending}
            onClick={() => publish.mutate()}
          >
            {replaced === undefined ? words.publish : words.replace}
          </Button>
        </div>
        {why === notOperator ? <p className={kit.soft}>{words.askOperator}</p> : null}
        {rows.error ? <FaultNote fault={rows.error} title={words.unread} retry={() => void rows.refetch()} /> : null}
        {attempt.error ? <FaultNote fault={attempt.error} /> : null}
        {publish.error ? <FaultNote fault={publish.error} /> : null}
        {attempt.data ? <Tried tried={attempt.data} /> : null}
      </Stack>
    </Panel>
  );
}

function whyNot(isOperator: boolean, nodeId: string, chosen: readonly Platform[], unread: unknown): string | null {
  if (!isOperator) return notOperator;
  if (nodeId === "") return words.nameNode;
  if (chosen.length === 0) return words.choosePlatform;
  return unread ? words.readFirst : null;
}

function PlatformChoice(props: {
  readonly chosen: readonly Platform[];
  readonly onChange: (chosen: readonly Platform[]) => void;
}): ReactNode {
  const { chosen, onChange } = props;
  const keep = (platform: Platform, isOn: boolean) =>
    onChange(platforms.filter((each) => (each === platform ? isOn : chosen.includes(each))));
  return (
    <fieldset>
      <legend className={kit.label}>{words.platforms}</legend>
      <div className={kit.actions}>
        {platforms.map((platform) => (
          <CheckField
            key={platform}
            label={badges.platforms[platform]}
            checked={chosen.includes(platform)}
            onChange={(event) => keep(platform, event.target.checked)}
          />
        ))}
      </div>
    </fieldset>
  );
}

// The node's current entry in the map, shown before anything is sent.
function Change(props: { readonly nodeId: string; readonly badge: Badge; readonly platform: Platform }): ReactNode {
  const { data } = useQuery(mapQuery(latest, props.platform));
  if (data === undefined) return null;
  const now = Object.hasOwn(data.badges, props.nodeId) ? data.badges[props.nodeId] : undefined;
  const { changes } = words;
  const change =
    props.nodeId === ""
      ? changes.unnamed
      : now === undefined
        ? changes.first
        : now.expr === props.badge.expr
          ? changes.same
          : changes.other;
  return (
    <>
      <Facts
        of={[
          [words.change, change],
          [words.etag, <CopyId key="etag" id={data.etag} />],
        ]}
      />
      {now !== undefined && now.expr !== props.badge.expr ? (
        <div className={styles.diff}>
          <del>{now.expr}</del>
          <ins>{props.badge.expr}</ins>
        </div>
      ) : null}
    </>
  );
}

function Tried({ tried }: { readonly tried: TriedBadge }): ReactNode {
  return (
    <div role="status" className={kit.stack}>
      <div>
        <Chip tone={tried.accepted ? "ok" : "bad"} icon={tried.accepted ? Check : CircleAlert}>
          {tried.accepted ? words.accepted : words.refused}
        </Chip>{" "}
        <span className={kit.soft}>{words.samples(tried.samples.length)}</span>
      </div>
      {tried.findings.length > 0 ? (
        <ul className={styles.findings}>
          {keyed(tried.findings, ({ code, message }) => `${code} ${message}`).map(([key, finding]) => (
            <li key={key} data-severity={finding.severity}>
              <strong>{finding.severity === "error" ? words.error : words.warning}</strong> <code>{finding.code}</code>{" "}
              {finding.message}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
