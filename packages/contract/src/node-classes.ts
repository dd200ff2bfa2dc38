// Node classes: what graphs can be made of on a surface. We describe a class in our own shape, or with format=object_info in the
// application's.
import { type Static, Type } from "typebox";
import { limits } from "./limits.ts";
import { linkedPageOf } from "./pagination.ts";
import { entity, mapOf, Uuid } from "./wire-values.ts";

const text = (description: string) => Type.String({ description });
const number = (description: string) => Type.Optional(Type.Number({ description }));
const flag = (description: string) => Type.Boolean({ description });

export const NodeClassInput = entity("NodeClassInput", "One input of a node class.", {
  name: text("What a graph calls it."),
  type: text("INT, FLOAT, STRING, BOOLEAN, COMBO, or the type of a socket such as IMAGE."),
  is_required: flag("Whether a graph must give it."),
  is_link: flag("Whether only a link to another node can be given."),
  is_file: flag("Whether it names a file of the caller's: an asset reference, or the path of an uploaded asset."),
  default: Type.Optional(Type.Unknown({ description: "What editors begin with; a graph must still give it." })),
  min: number("The least; integers beyond 2^53 are exact."),
  max: number("The most; integers beyond 2^53 are exact."),
  step: number("What editors go up and down by."),
  choices: Type.Optional(Type.Array(Type.Unknown(), { description: "What can be chosen, of a COMBO." })),
  is_multiline: Type.Optional(flag("Whether a text may have several lines.")),
  tooltip: Type.Optional(text("What it is for.")),
});
export type NodeClassInput = Static<typeof NodeClassInput>;

export const NodeClassOutput = entity("NodeClassOutput", "One output of a node class; links name it by its index.", {
  name: text("What editors call it."),
  type: text("Its type, such as IMAGE."),
  is_list: flag("Whether it gives several values, one by one."),
});
export type NodeClassOutput = Static<typeof NodeClassOutput>;

export const NodeClassLocation = entity("NodeClassLocation", "Where a node class runs.", {
  engine: flag("In the server's own engine."),
  pools: Type.Array(Uuid, { description: "Pools with a worker that has it: the shared one's id or a deployment's." }),
  application: flag("In the application that this surface stands in front of."),
});
export type NodeClassLocation = Static<typeof NodeClassLocation>;

export const NodeClass = entity("NodeClass", "A node class that graphs can use here.", {
  name: text("What a graph writes as class_type."),
  title: text("What editors show."),
  category: text("Where editors list it; a slash parts a sub-category."),
  description: text("What it does; empty when it does not say."),
  is_output: flag("Whether a graph can end in it: it saves or shows something."),
  is_deprecated: flag("Whether something newer should be used."),
  is_experimental: flag("Whether it may still change."),
  inputs: Type.Array(NodeClassInput, { description: "In the order of the class, required ones first." }),
  outputs: Type.Array(NodeClassOutput, { description: "In order." }),
  runs_on: NodeClassLocation,
});
export type NodeClass = Static<typeof NodeClass>;

export const NodeClassPage = linkedPageOf(NodeClass, "NodeClassPage", "One page of node classes.");
export type NodeClassPage = Static<typeof NodeClassPage>;

export const ObjectInfo = mapOf(Type.Unknown(), {
  title: "ObjectInfo",
  description: "Node class → its description, as the application's own GET /object_info has it.",
});
export type ObjectInfo = Static<typeof ObjectInfo>;

const format = Type.Optional(
  Type.Literal("object_info", { description: "The application's own shape, all matches in one map; absent: ours." }),
);

export const NodeClassQuery = Type.Object({ format });
export type NodeClassQuery = Static<typeof NodeClassQuery>;

export const NodeClassesQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: limits.classSearchLengthMax,
      description: "Words that all occur in name, title, category or description, in any case. The best come first.",
    }),
  ),
  category: Type.Optional(
    Type.String({
      maxLength: limits.classSearchLengthMax,
      description: "Only this category and what is below it.",
    }),
  ),
  format,
});
export type NodeClassesQuery = Static<typeof NodeClassesQuery>;
