// Which badge of a node clients get, by version and platform, as the server resolves it.

import { useQueries } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { badges } from "#strings/badges";
import { Chip } from "../../ui/chip.tsx";
import { TextField } from "../../ui/fields.tsx";
import kit from "../../ui/kit.module.css";
import { Panel, Stack } from "../../ui/panel.tsx";
import { Scrollable } from "../../ui/scrollable.tsx";
import { FaultNote } from "../../ui/states.tsx";
import { labelOf } from "./badge-look.tsx";
import { type Badge, mapQuery, type Platform } from "./badge-queries.ts";
import { inputsOf, type NodeState } from "./draft.ts";
import { useOutcomes } from "./use-outcomes.ts";

const words = badges.matrix;
const platforms: readonly Platform[] = ["cloud", "local"];
const versionsMax = 12;

export function VersionMatrix(props: {
  readonly nodeId: string;
  readonly badge: Badge;
  readonly state: NodeState;
}): ReactNode {
  const [text, setText] = useState("0.3.40, 1.0.0, 1.4.0, nightly");
  const versions = versionsIn(text);
  const cells = versions.flatMap((version) => platforms.map((platform) => ({ version, platform })));
  const maps = useQueries({
    queries: cells.map(({ version, platform }) => ({ ...mapQuery(version, platform), enabled: props.nodeId !== "" })),
  });
  const failed = maps.find(({ error }) => error !== null);
  const resolved = maps.map(({ data }) =>
    data !== undefined && Object.hasOwn(data.badges, props.nodeId) ? (data.badges[props.nodeId] ?? null) : null,
  );
  const served = resolved.map((badge) => badge ?? props.badge);
  const outcomes = useOutcomes(served.map((badge) => ({ badge, state: inputsOf(props.state) })));
  return (
    <Panel title={words.title}>
      <Stack>
        <TextField
          label={words.versions}
          hint={words.versionsHint}
          value={text}
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
        {props.nodeId === "" ? (
          <p className={kit.soft}>{words.nameNode}</p>
        ) : failed ? (
          <FaultNote
            fault={failed.error}
            retry={() => {
              for (const { error, refetch } of maps) if (error) void refetch();
            }}
          />
        ) : (
          <Scrollable className={kit.tableWrap} label={words.table}>
            <table className={kit.table}>
              <thead>
                <tr>
                  <th scope="col">{words.version}</th>
                  {platforms.map((platform) => (
                    <th key={platform} scope="col">
                      {badges.platforms[platform]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {versions.map((version, row) => (
                  <tr key={version}>
                    <th scope="row">
                      <code>{version}</code>
                    </th>
                    {platforms.map((platform, column) => {
                      const at = row * platforms.length + column;
                      return (
                        <td key={platform}>
                          <Resolved
                            isKnown={maps[at]?.data !== undefined}
                            badge={resolved[at] ?? null}
                            mine={props.badge}
                            label={labelOf(outcomes[at] ?? null)}
                          />
                        </td>
                      );
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrollable>
        )}
      </Stack>
    </Panel>
  );
}

function versionsIn(text: string): readonly string[] {
  const written = text.split(/[\s,]+/).filter(Boolean);
  return [...new Set(written.slice(0, versionsMax))];
}

function Resolved(props: {
  readonly isKnown: boolean;
  readonly badge: Badge | null;
  readonly mine: Badge;
  readonly label: string | null;
}): ReactNode {
  if (!props.isKnown) return <span className={kit.soft}>…</span>;
  if (props.badge === null) return <span className={kit.soft}>{badges.noBadge}</span>;
  const isMine = props.badge.expr === props.mine.expr;
  return (
    <span className={kit.actions}>
      <Chip tone={isMine ? "ok" : "info"}>{isMine ? words.thisBadge : words.otherBadge}</Chip>
      <span>{props.label ?? "…"}</span>
    </span>
  );
}
