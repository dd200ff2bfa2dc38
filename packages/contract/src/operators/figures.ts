// How the installation fares: what operators see over all workspaces. From the same sums that workspaces' figures come from.
import { type Static, Type } from "typebox";
import { usageSteps } from "../account/usage-figures.ts";
import { Credits, entity, nullable, Timestamp, wordOf } from "../wire-values.ts";

export const figureHoursMax = 720;
export const installationGroupings = ["none", "outcome", "family", "subject", "workspace"] as const;

const count = (description: string) => Type.Integer({ minimum: 0, description });
const milliseconds = (description: string) => nullable(Type.Integer({ minimum: 0 }), description);
const sums = {
  calls: count("All calls except replays."),
  failures: count("Calls that failed."),
  replays: count("Responses replayed for the same key."),
  credits: Credits,
};
const times = {
  p50_ms: milliseconds("Median duration, accurate to 5 %; null if there is none, or with a group."),
  p95_ms: milliseconds("95th percentile of the duration, accurate to 5 %; null if there is none, or with a group."),
};
const span = {
  from: Timestamp,
  to: Timestamp,
  step: wordOf(usageSteps, { description: "The length of one point, aligned to UTC." }),
};
const hours = Type.Optional(
  Type.Integer({ minimum: 1, maximum: figureHoursMax, description: "How many hours to look back; 24 by default." }),
);

export const InstallationUsageQuery = Type.Object({
  hours,
  by: Type.Optional(
    wordOf(installationGroupings, { description: "Group by this: the 8 largest groups, and `other` for the rest." }),
  ),
});

export const InstallationUsage = entity("InstallationUsage", "Calls of all workspaces over time.", {
  ...span,
  by: wordOf(installationGroupings, { description: "What the points are grouped by." }),
  data: Type.Array(
    Type.Object({
      at: Timestamp,
      key: Type.Optional(Type.String({ description: "The group of the point. Absent with by=none." })),
      ...sums,
      ...times,
    }),
    { description: "Points with usage, oldest first." },
  ),
  groups: Type.Array(
    Type.Object({
      key: Type.String({ description: "The group: with by=workspace, its id." }),
      label: nullable(Type.String(), "The workspace's name; null for other groups."),
      ...sums,
    }),
    { description: "The total of each group, largest first and `other` last. Empty with by=none." },
  ),
  total: Type.Object({ ...sums, ...times }, { description: "The total for the requested range." }),
});
export type InstallationUsage = Static<typeof InstallationUsage>;

export const InstallationFiguresQuery = Type.Object({ hours });

export const InstallationFigures = entity(
  "InstallationFigures",
  "Jobs of all workspaces over time, and what is stored.",
  {
    ...span,
    jobs: Type.Array(
      Type.Object({
        at: Timestamp,
        submitted: count("Jobs submitted in this step, in any state."),
        succeeded: count("Of these, how many succeeded."),
        failed: count("Of these, how many failed or expired."),
        canceled: count("Of these, how many were canceled."),
        wait_p50_ms: milliseconds("Median time from submission to the first start."),
        wait_p95_ms: milliseconds("95th percentile of the time from submission to the first start."),
        run_p50_ms: milliseconds("Median time from the first start to success."),
        run_p95_ms: milliseconds("95th percentile of the time from the first start to success."),
      }),
      { description: "Steps with jobs, oldest first, as far back as jobs are kept." },
    ),
    now: Type.Object(
      {
        queued: count("Jobs that wait."),
        running: count("Jobs that run."),
        assets: count("Files that workspaces keep."),
        stored_bytes: count("Their size. Equal files are stored once, so the disk may hold less."),
      },
      { description: "At this moment." },
    ),
  },
);
export type InstallationFigures = Static<typeof InstallationFigures>;
