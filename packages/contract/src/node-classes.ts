// Node classes: what graphs can be made of on a surface. We describe a class in our own shape, or with format=object_info in the
// application's.
import { Type } from "typebox";
import { limits } from "./limits.ts";
import { linkedPageOf } from "./pagination.ts";
import { entity, mapOf, Uuid } from "./wire-values.ts";

const text = (description: string) => Type.String({ description });
const number = (description: string) => Type.Optional(Type.Number({ description }));
const flag = (description: string) => Type.Boolean({ description });

export const NodeClassInput = entity("NodeClassInput", "One input of a node class.", {
  name: text("Its name in graphs."),
  type: text("INT, FLOAT, STRING, BOOLEAN, COMBO, or the type of a socket such as IMAGE."),
  is_required: flag("Whether a graph must set it."),
  is_link: flag("Whether it only accepts a link to another node."),
  is_file: flag("Whether it takes one of the caller's files: an asset reference, or the path of an uploaded asset."),
  default: Type.Optional(Type.Unknown({ description: "The initial value in editors. A graph must still set it." })),
  min: number("The minimum. Integers beyond 2^53 are exact."),
  max: number("The maximum. Integers beyond 2^53 are exact."),
  step: number("The step size in editors."),
  choices: Type.Optional(Type.Array(Type.Unknown(), { description: "The choices of a COMBO." })),
  is_multiline: Type.Optional(flag("Whether the text can have several lines.")),
  is_color: Type.Optional(flag("Whether the integer is a color: 0xRRGGBB.")),
  tooltip: Type.Optional(text("What it is for.")),
});

export const NodeClassOutput = entity(
  "NodeClassOutput",
  "One output of a node class. Links refer to it by its index.",
  {
    name: text("Its name in editors."),
    type: text("Its type, such as IMAGE."),
    is_list: flag("Whether it returns a list of values."),
  },
);

export const NodeClassLocation = entity("NodeClassLocation", "Where a node class runs.", {
  engine: flag("In the server's own engine."),
  pools: Type.Array(Uuid, {
    description: "Ids of the pools that have a worker with this class: the shared pool or a deployment's.",
  }),
  application: flag("In the application behind this surface."),
});

export const NodeClass = entity("NodeClass", "A node class available here.", {
  name: text("The class_type in graphs."),
  title: text("The name editors show."),
  category: text("Where editors list it. Slashes separate subcategories."),
  description: text("What it does. Empty if not given."),
  is_output: flag("Whether it is an output node, which saves or shows something."),
  is_deprecated: flag("Whether it is deprecated in favour of something newer."),
  is_experimental: flag("Whether it may still change."),
  inputs: Type.Array(NodeClassInput, { description: "In the class's own order, required inputs first." }),
  outputs: Type.Array(NodeClassOutput, { description: "In order." }),
  runs_on: NodeClassLocation,
});

export const NodeClassPage = linkedPageOf(NodeClass, "NodeClassPage", "One page of node classes.");

export const ObjectInfo = mapOf(Type.Unknown(), {
  title: "ObjectInfo",
  description: "Node class → its description, in the format of the application's GET /object_info.",
});

const format = Type.Optional(
  Type.Literal("object_info", {
    description:
      "object_info returns the application's own format, with all matches in one map. Defaults to this API's format.",
  }),
);

export const NodeClassQuery = Type.Object({ format });

export const NodeClassesQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: limits.classSearchLengthMax,
      description:
        "Words to find in the name, title, category or description, ignoring case. All must occur. Best matches first.",
    }),
  ),
  category: Type.Optional(
    Type.String({
      maxLength: limits.classSearchLengthMax,
      description: "Only this category and its subcategories.",
    }),
  ),
  format,
});
