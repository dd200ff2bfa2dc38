// What a call or a graph would cost, before anything runs (decisions, section 10). The amounts come from the same price record
// that the badge shows, the call holds and the end charges. Asking stores, holds, sends and bills nothing.
import { type Static, Type } from "typebox";
import { SubmitJob } from "../jobs.ts";
import { ModelId } from "../models.ts";
import { entity, Uuid, wordOf } from "../wire-values.ts";

const Amount = (description: string) =>
  Type.String({
    pattern: "^(0|[1-9][0-9]*)(\\.[0-9]{1,6})?$",
    description: `${description} Credits, as a decimal text.`,
  });

export const CreditRange = entity("CreditRange", "The range of the charge, inclusive.", {
  lowest: Amount(
    "The least a successful run of this input is charged. A run that fails, is replayed under a known key or reuses earlier results may cost less, down to nothing.",
  ),
  highest: Amount("The most it can be charged, no matter what the provider reports."),
});
export type CreditRange = Static<typeof CreditRange>;

export const ExpectedSeconds = entity("ExpectedSeconds", "How long past runs on this server took. Not a promise.", {
  median: Type.Number({ minimum: 0, description: "The median, in seconds." }),
  p90: Type.Number({ minimum: 0, description: "The 90th percentile, in seconds." }),
  count: Type.Integer({ minimum: 1, description: "How many runs were measured." }),
});

const isExact = Type.Boolean({ description: "Whether lowest and highest are equal." });
const expected = Type.Optional(ExpectedSeconds);

const Quantity = Type.Object({
  unit: wordOf(["second", "item", "megapixel", "million_tokens"], { description: "What is counted." }),
  lowest: Type.String({ pattern: "^[0-9]+(\\.[0-9]+)?$", description: "The least that counts." }),
  highest: Type.String({ pattern: "^[0-9]+(\\.[0-9]+)?$", description: "The most that counts." }),
  reported: Type.Boolean({ description: "Whether the provider reports it at the end; otherwise the input decides." }),
});

const Part = Type.Object({
  each: Type.String({ pattern: "^[0-9]+(\\.[0-9]+)?$", description: "Credits for one of each quantity." }),
  quantities: Type.Array(Quantity, {
    description: "Multiplied with each other and with `each`. Empty: a fixed price.",
  }),
});

export const ModelEstimate = entity("ModelEstimate", "What a call to this model with this input would cost now.", {
  model: ModelId,
  credits: CreditRange,
  hold: Amount("The hold on the balance while the call runs. Equals highest."),
  is_exact: isExact,
  parts: Type.Optional(
    Type.Array(Part, {
      description: "How the amounts come about: the parts are added up. Absent if several prices are possible.",
    }),
  ),
  expected_seconds: expected,
});
export type ModelEstimate = Static<typeof ModelEstimate>;

export const NodeEstimate = entity("NodeEstimate", "What one part of a graph would cost.", {
  node_id: Type.String({ description: "The node's id in the graph, or run for the job's running time." }),
  class_type: Type.Optional(Type.String({ description: "The node's class. Absent for the running time." })),
  title: Type.Optional(Type.String({ description: "The node's title, if the graph has one." })),
  credits: CreditRange,
  is_exact: isExact,
  expected_seconds: expected,
});
export type NodeEstimate = Static<typeof NodeEstimate>;

export const GraphEstimate = entity("GraphEstimate", "What a fresh run of this graph would cost now.", {
  credits: CreditRange,
  hold: Amount(
    "What a submission holds of the workspace's balance. Equals highest, unless only the run decides which model is called or how often, or another key pays: then each call holds its own amount.",
  ),
  is_exact: isExact,
  expected_seconds: expected,
  nodes: Type.Array(NodeEstimate, {
    description:
      "Every node that will run and calls a model, in graph order, plus the running time if it is charged. Nodes that are not listed cost nothing.",
  }),
});
export type GraphEstimate = Static<typeof GraphEstimate>;

export const AskEstimate = entity(
  "AskEstimate",
  "The workflow to estimate, in the body that would submit it. Nothing is stored, held or billed.",
  SubmitJob.properties,
);

export const EstimateQuery = Type.Object({
  deployment_id: Type.Optional(
    Type.String({ ...Uuid, description: "The deployment that would run it. Defaults to the managed cloud." }),
  ),
});
