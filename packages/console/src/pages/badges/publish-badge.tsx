// For operators: check a badge on the server, see what changes in the map, publish it.
import type { BadgeInputs } from "@atelier/sdk/badges";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, CircleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { accountQuery } from "../../api/account.ts";
import { call } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { CheckField, TextField } from "../../ui/fields.tsx";
import { keyed } from "../../ui/keyed.ts";
import kit from "../../ui/kit.module.css";
import { Facts, Panel, Stack } from "../../ui/panel.tsx";
import { FaultNote } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import {
  type Badge,
  type BadgeRow,
  latest,
  mapQuery,
  type Platform,
  rowsQuery,
  type TriedBadge,
} from "./badge-queries.ts";
import styles from "./badges.module.css";

const platforms: readonly Platform[] = ["cloud", "local"];
export const notOperator = "Only operators of this installation write badges.";

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
    mutationFn: () =>
      call<TriedBadge>("/admin/badges/dry-run", { method: "POST", json: { ...row, probes: props.cases } }),
  });
  const publish = useMutation({
    mutationFn: () =>
      replaced === undefined
        ? call<BadgeRow>("/admin/badges", { method: "POST", json: row })
        : call<BadgeRow>(`/admin/badges/${replaced.id}`, { method: "PUT", json: row }),
    onSuccess: async () => {
      toast(`Clients get the badge of ${props.nodeId} from now on.`);
      await queries.invalidateQueries({ queryKey: ["badges"] });
    },
  });
  const why = whyNot(isOperator, props.nodeId, chosen, rows.error);
  return (
    <Panel title="Publish">
      <Stack>
        <PlatformChoice chosen={chosen} onChange={setChosen} />
        <div className={styles.filters}>
          <TextField label="From version" value={from} onChange={(event) => setFrom(event.target.value)} />
          <TextField
            label="Until version"
            placeholder="open"
            hint="Excluded."
            value={until}
            onChange={(event) => setUntil(event.target.value)}
          />
        </div>
        <Change nodeId={props.nodeId} badge={props.badge} platform={chosen[0] ?? "cloud"} />
        <div className={kit.actions}>
          <Button why={why} disabled={attempt.isPending} onClick={() => attempt.mutate()}>
            Try on the server
          </Button>
          <Button look="primary" why={why} disabled={publish.isPending} onClick={() => publish.mutate()}>
            {replaced === undefined ? "Publish" : "Replace and publish"}
          </Button>
        </div>
        {why === notOperator ? (
          <p className={kit.soft}>{notOperator} Hand them this text, or ask to become one.</p>
        ) : null}
        {rows.error ? (
          <FaultNote
            fault={rows.error}
            title="What is stored already could not be read"
            retry={() => void rows.refetch()}
          />
        ) : null}
        {attempt.error ? <FaultNote fault={attempt.error} /> : null}
        {publish.error ? <FaultNote fault={publish.error} /> : null}
        {attempt.data ? <Tried tried={attempt.data} /> : null}
      </Stack>
    </Panel>
  );
}

function whyNot(isOperator: boolean, nodeId: string, chosen: readonly Platform[], unread: unknown): string | null {
  if (!isOperator) return notOperator;
  if (nodeId === "") return "Name the node above.";
  if (chosen.length === 0) return "Choose a platform.";
  return unread ? "What is stored already could not be read." : null;
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
      <legend className={kit.label}>Platforms</legend>
      <div className={kit.actions}>
        {platforms.map((platform) => (
          <CheckField
            key={platform}
            label={platform}
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
  const words =
    props.nodeId === ""
      ? "no node named"
      : now === undefined
        ? "a new badge: the node has none"
        : now.expr === props.badge.expr
          ? "nothing: the node has this badge"
          : "another badge instead of the present one";
  return (
    <>
      <Facts
        of={[
          ["Changes", words],
          ["ETag now", <CopyId key="etag" id={data.etag} />],
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
          {tried.accepted ? "It would be stored" : "It would be refused"}
        </Chip>{" "}
        <span className={kit.soft}>{tried.samples.length} states were worked out.</span>
      </div>
      {tried.findings.length > 0 ? (
        <ul className={styles.findings}>
          {keyed(tried.findings, ({ code, message }) => `${code} ${message}`).map(([key, finding]) => (
            <li key={key} data-severity={finding.severity}>
              <strong>{finding.severity === "error" ? "Error" : "Warning"}</strong> <code>{finding.code}</code>{" "}
              {finding.message}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
