// For operators: the flagged versions and the appeals, each with what was found, and the decision.

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Ban, Check, Download, Flag, ShieldCheck } from "lucide-react";
import { type ReactNode, useState } from "react";
import { nodes } from "#strings/nodes";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { ChangeForm } from "../../ui/calls/change-form.tsx";
import { useField } from "../../ui/calls/use-draft.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Select, TextArea } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Panel, Stack } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { Findings } from "./findings.tsx";
import { Capabilities } from "./node-capabilities.tsx";
import styles from "./nodes.module.css";
import { type NodeVersion, queueQuery } from "./registry-queries.ts";
import { ReviewComparison } from "./review-comparison.tsx";
import { useReviewKeys } from "./review-keys.ts";
import { VersionChip } from "./version-state.tsx";

const words = nodes.queue;

export function ReviewQueue(): ReactNode {
  const { show } = useSearch({ from: "/console/nodes" });
  const navigate = useNavigate();
  const isAppealed = show !== "flagged";
  useReviewKeys();
  const { data, error, isPending, refetch } = useQuery(queueQuery(isAppealed));
  return (
    <>
      <div className={kit.actions}>
        <Select
          label={words.show}
          value={isAppealed ? "appeals" : "flagged"}
          choices={[
            { value: "appeals", label: words.appeals },
            { value: "flagged", label: words.flagged },
          ]}
          onChange={({ target }) =>
            navigate({
              to: "/console/nodes",
              search: { tab: "review", ...(target.value === "flagged" ? { show: "flagged" } : {}) },
            })
          }
        />
        {data && data.total > data.versions.length ? (
          <span className={kit.soft}>{words.more(data.versions.length, data.total)}</span>
        ) : null}
      </div>
      {error ? <FaultNote fault={error} retry={refetch} /> : null}
      {isPending ? <Skeleton height="10rem" count={2} /> : null}
      {data?.versions.length === 0 ? (
        <Panel>
          <Empty icon={ShieldCheck} title={isAppealed ? words.noAppeals : words.noFlagged}>
            {isAppealed ? words.noAppealsText : words.noFlaggedText}
          </Empty>
        </Panel>
      ) : null}
      {data?.versions.map((version) => (
        <article key={version.id} data-waiting={version.id} tabIndex={-1} aria-label={nameOf(version)}>
          <Waiting version={version} />
        </article>
      ))}
    </>
  );
}

const decisions = {
  approve: ["NodeVersionStatusActive", "primary", words.approve, words.approveOf, words.approveText, words.approved],
  keep: ["NodeVersionStatusFlagged", "primary", words.keep, words.keepOf, words.keepText, words.kept],
  reject: ["NodeVersionStatusBanned", "danger", words.reject, words.rejectOf, words.rejectText, words.rejected],
} as const;
type Decision = keyof typeof decisions;

const nameOf = ({ node_id, version }: NodeVersion): string => `${node_id} ${version}`;

function Waiting({ version }: { readonly version: NodeVersion }): ReactNode {
  const [asked, setAsked] = useState<Decision | null>(null);
  const name = nameOf(version);
  return (
    <Panel>
      <Stack>
        <div className={styles.queueHead}>
          <Heading>
            <Link to="/console/nodes/$nodeId" params={{ nodeId: version.node_id }} search={{ tab: "versions" }}>
              {name}
            </Link>
          </Heading>
          <VersionChip version={version} />
          <span className={kit.soft}>
            <Ago at={version.appeal?.created_at ?? version.createdAt} />
          </span>
        </div>
        {version.appeal ? (
          <figure className={styles.appeal}>
            <figcaption>{words.appeal}</figcaption>
            <blockquote>{version.appeal.reason}</blockquote>
          </figure>
        ) : null}
        {version.findings && version.findings.length > 0 ? (
          <Findings of={version.findings} label={nodes.versions.findings(name)} />
        ) : (
          <p className={kit.soft}>{version.status_reason ?? nodes.versions.notChecked}</p>
        )}
        <Capabilities version={version} isOpen />
        <ReviewComparison version={version} />
        <div className={kit.actions}>
          <Button
            does={operations.reviewNodeVersion}
            small
            look="primary"
            data-decision="approve"
            onClick={() => setAsked("approve")}
          >
            <Check aria-hidden="true" /> {words.approve}
          </Button>
          {version.appeal && version.status === "NodeVersionStatusFlagged" ? (
            <Button does={operations.reviewNodeVersion} small onClick={() => setAsked("keep")}>
              <Flag aria-hidden="true" /> {words.keep}
            </Button>
          ) : null}
          <Button does={operations.reviewNodeVersion} small data-decision="reject" onClick={() => setAsked("reject")}>
            <Ban aria-hidden="true" /> {words.reject}
          </Button>
          {version.downloadUrl ? (
            <a className={buttonClass({ small: true, look: "quiet" })} href={version.downloadUrl} download>
              <Download aria-hidden="true" /> {words.archive}
            </a>
          ) : null}
        </div>
      </Stack>
      <Dialog
        title={asked === null ? "" : decisions[asked][3](name)}
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
      >
        {asked === null ? null : <Decide version={version} decision={asked} onClose={() => setAsked(null)} />}
      </Dialog>
    </Panel>
  );
}

function Decide(props: {
  readonly version: NodeVersion;
  readonly decision: Decision;
  readonly onClose: () => void;
}): ReactNode {
  const { version, onClose } = props;
  const [status, look, action, , about, done] = decisions[props.decision];
  const [reason, reasonField] = useField("");
  const isOptional = props.decision === "approve";
  return (
    <ChangeForm
      action={action}
      look={look}
      why={isOptional || reason.trim() !== "" ? null : words.reasonFirst}
      change={() =>
        call(operations.reviewNodeVersion, {
          params: { nodeId: version.node_id, version: version.version },
          json: { status, ...(reason.trim() === "" ? {} : { status_reason: reason.trim() }) },
        })
      }
      stale={[["registry"]]}
      said={() => done(nameOf(version))}
      onClose={onClose}
    >
      <p>{about}</p>
      <TextArea
        label={words.reason}
        hint={words.reasonHint}
        required={!isOptional}
        rows={3}
        maxLength={2048}
        {...reasonField}
      />
    </ChangeForm>
  );
}
