// What a call or a graph would cost, before anything runs (decisions, section 10). The amounts come from the same price record
// that the badge shows, the call holds and the end charges. Asking stores, holds, sends and bills nothing.
import { type Static, Type } from "typebox";
import { SubmitJob } from "../jobs.ts";
import { ModelId } from "../models.ts";
import { entity, Uuid } from "../wire-values.ts";

const Amount = (description: string) =>
  Type.String({
    pattern: "^(0|[1-9][0-9]*)(\\.[0-9]{1,6})?$",
    description: `${description} Credits, as a decimal text.`,
  });

export const CreditRange = entity("CreditRange", "Between which amounts a charge lies, both included.", {
  lowest: Amount(
    "The least that a run of this input is charged when it succeeds. What fails, is answered under a known key, or is known from a run before may cost less, down to nothing.",
  ),
  highest: Amount("The most that it can be charged, whatever the provider reports."),
});
export type CreditRange = Static<typeof CreditRange>;

export const ExpectedSeconds = entity(
  "ExpectedSeconds",
  "How long it took before, by this server's own past runs. It promises nothing.",
  {
    median: Type.Number({ minimum: 0, description: "Half of them took at most this many seconds." }),
    p90: Type.Number({ minimum: 0, description: "Nine out of ten took at most this many seconds." }),
    count: Type.Integer({ minimum: 1, description: "How many runs were looked at." }),
  },
);
export type ExpectedSeconds = Static<typeof ExpectedSeconds>;

const isExact = Type.Boolean({ description: "Whether lowest and highest are the same amount." });
const expected = Type.Optional(ExpectedSeconds);

export const ModelEstimate = entity("ModelEstimate", "What a call of this model with this input would cost now.", {
  model: ModelId,
  credits: CreditRange,
  hold: Amount("What is set aside of the balance while the call runs; it equals highest."),
  is_exact: isExact,
  expected_seconds: expected,
});
export type ModelEstimate = Static<typeof ModelEstimate>;

export const NodeEstimate = entity("NodeEstimate", "What one part of a graph would cost.", {
  node_id: Type.String({ description: "The node's id in the graph; run for the running time of the job." }),
  class_type: Type.Optional(Type.String({ description: "The node's class; absent for the running time." })),
  title: Type.Optional(Type.String({ description: "The node's title, where the graph gives it one." })),
  credits: CreditRange,
  is_exact: isExact,
  expected_seconds: expected,
});
export type NodeEstimate = Static<typeof NodeEstimate>;

export const GraphEstimate = entity("GraphEstimate", "What a run of this graph would cost now, as a fresh run.", {
  credits: CreditRange,
  hold: Amount(
    "What a submission sets aside of the workspace's balance. It equals highest, except where only the run decides which model is called or how often, or another key pays: there each call sets aside its own.",
  ),
  is_exact: isExact,
  expected_seconds: expected,
  nodes: Type.Array(NodeEstimate, {
    description:
      "Every node that will run and calls a model, in the order of the graph, and the running time where it costs. Nodes that are not named cost nothing.",
  }),
});
export type GraphEstimate = Static<typeof GraphEstimate>;

export const AskEstimate = entity(
  "AskEstimate",
  "What to estimate: a workflow, in the body that would submit it. Nothing is stored, held or billed.",
  SubmitJob.properties,
);
export type AskEstimate = Static<typeof AskEstimate>;

export const EstimateQuery = Type.Object({
  deployment_id: Type.Optional(
    Type.String({ ...Uuid, description: "The deployment that would run it; absent: the managed cloud." }),
  ),
});
export type EstimateQuery = Static<typeof EstimateQuery>;
