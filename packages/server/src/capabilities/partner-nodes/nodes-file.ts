// Node classes as data: a file beside a provider's definition that declares which classes call its models, and how.
import { declaredOutputTypes } from "@atelier/engine";
import { type Static, Type } from "typebox";

const closed = { additionalProperties: false };
const namePattern = "^[A-Za-z0-9_][A-Za-z0-9_ .()+-]{0,127}$";
const modelPattern = "^[a-z0-9]+([._-][a-z0-9]+)*/[a-z0-9]+([._-][a-z0-9]+)*$";
const answerPattern = "^(/[^/]*)*$";

export const patternWords: ReadonlyMap<string, string> = new Map([
  [namePattern, "must be 1 to 128 letters, digits, spaces and _ . ( ) + -"],
  [modelPattern, "must be a model's id, such as bfl/flux-2-pro"],
  [answerPattern, "must be a JSON pointer, such as /data/*/url"],
]);

const conditionValues = Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), { minItems: 1 });

const ConditionSchema = Type.Object(
  {
    is: Type.Optional(conditionValues),
    not: Type.Optional(conditionValues),
    given: Type.Optional(Type.Boolean({ description: "Whether it has a value. An empty text counts as none." })),
  },
  { ...closed, minProperties: 1 },
);

const inputs = (description: string) =>
  Type.Optional(Type.Record(Type.String(), Type.Array(Type.Unknown(), { minItems: 1, maxItems: 2 }), { description }));

const Call = Type.Object(
  {
    when: Type.Optional(
      Type.Record(Type.String(), ConditionSchema, { description: "By input; all must hold. Absent: always." }),
    ),
    model: Type.String({ pattern: modelPattern, description: "The model's id: provider/model." }),
    body: Type.Record(Type.String(), Type.Unknown(), {
      description: "The model's input as a template: docs/PARTNER-NODES.md lists the operators.",
    }),
  },
  closed,
);

const Output = Type.Object(
  {
    type: Type.Union(declaredOutputTypes.map((type) => Type.Literal(type))),
    name: Type.String({ minLength: 1, maxLength: 128 }),
    from: Type.Array(Type.String({ pattern: answerPattern, maxLength: 200 }), {
      maxItems: 10,
      description:
        "Where it is in the answer, first found first; * is every item of a list, an empty one the answer itself.",
    }),
    otherwise: Type.Optional(
      Type.String({ description: "STRING: the text if there is none. IMAGE: `empty` gives a small black picture." }),
    ),
  },
  closed,
);

const Value = Type.Object(
  {
    type: Type.String({ pattern: "^[A-Z0-9_]{1,64}$", description: "The socket of the classes that read it." }),
    name: Type.String({ minLength: 1, maxLength: 128 }),
    gives: Type.Unknown({
      description: "A template over the class's inputs; other classes read it with $input and $items.",
    }),
  },
  closed,
);

export const NodeClass = Type.Object(
  {
    name: Type.String({ pattern: namePattern, description: "The class, as graphs name it." }),
    display_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "What editors show." })),
    category: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.String({ minLength: 1, maxLength: 2000 }),
    input: Type.Object(
      {
        required: inputs("As in the application's object_info: name → [type, options]."),
        optional: inputs("As required; an input without a value takes its default."),
      },
      closed,
    ),
    outputs: Type.Array(Output, { maxItems: 20, description: "Empty beside values." }),
    calls: Type.Array(Call, {
      maxItems: 50,
      description: "The first whose conditions hold is made. Empty beside values.",
    }),
    values: Type.Optional(
      Type.Array(Value, {
        minItems: 1,
        maxItems: 20,
        description: "Outputs of a class that calls no model: what it says to other classes.",
      }),
    ),
    is_deprecated: Type.Optional(Type.Boolean()),
  },
  closed,
);

export const NodesFile = Type.Object(
  {
    $schema: Type.Optional(Type.String({ maxLength: 500, description: "For editors." })),
    provider: Type.String({ minLength: 1, maxLength: 64, description: "Whose models the classes call." }),
    classes: Type.Array(NodeClass, { minItems: 1, maxItems: 500 }),
  },
  closed,
);
export type NodesFile = Static<typeof NodesFile>;
