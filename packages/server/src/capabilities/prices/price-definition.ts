// The language of prices: dollars as decimal texts, quantities as JSON pointers into the call's input. It is data, not code,
// so the same definition can be held, charged and shown as a badge. Everything a call may omit has a declared default, and
// every quantity has a declared maximum: without one there would be no bound to hold.
import { type Static, type TSchema, Type } from "typebox";

export const quantityMax = 1_000_000_000;

const closed = { additionalProperties: false };

const Usd = Type.String({
  pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,9})?$",
  description: "US dollars as a decimal text.",
});

const Pointer = Type.String({
  pattern: "^(/([^~/]|~[01])*)+$",
  maxLength: 300,
  description: "JSON pointer into the call's input.",
});

const widget = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: "The node's widget that holds this value; the pointer's segments joined by dots if absent.",
  }),
);

const reported = Type.String({
  pattern: "^[a-z][a-z0-9_]{0,39}$",
  description: "The provider's own figure that is charged, never beyond what was asked for.",
});

const number = (description: string) => Type.Number({ minimum: 0, maximum: quantityMax, description });
const least = Type.Optional(number("Less than this counts as this; 0 if absent."));
const most = number("More than this counts as this.");

const Side = Type.Object(
  { from: Pointer, widget, default: number("Where the input says nothing."), least, most },
  { ...closed, description: "A side in pixels, rounded up to whole ones." },
);

const Quantity = Type.Object(
  {
    from: Type.Optional(Pointer),
    widget,
    group: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: "The input is a list and its length counts; the badge counts the members of this input group.",
      }),
    ),
    default: number("Where neither input nor provider says anything."),
    least,
    most,
    step: Type.Optional(number("Rounded up to multiples of this; 1 if absent.")),
    reported: Type.Optional(reported),
  },
  { ...closed, description: "How much of something: asked for by the input, told by the provider, or both." },
);

const TokenRate = Type.Object(
  {
    usd_per_million: Usd,
    from: Type.Optional(Pointer),
    widget,
    default: number("Tokens where neither input nor provider says anything."),
    most,
    reported,
  },
  { ...closed, description: "Tokens of one kind." },
);

// `Nested` is the schema of nested terms: the terms themselves, or anything if only one level is checked.
function termKinds<Nested extends TSchema>(Nested: Nested) {
  return {
    per_second: Type.Object({ kind: Type.Literal("per_second"), seconds: Quantity, each: Nested }, closed),
    per_count: Type.Object({ kind: Type.Literal("per_count"), count: Quantity, each: Nested }, closed),
    per_megapixel: Type.Object(
      {
        kind: Type.Literal("per_megapixel"),
        width: Side,
        height: Side,
        minimum: Type.Optional(number("Megapixels that are charged at least.")),
        step: Type.Optional(number("Rounded up to multiples of this many megapixels; to the pixel if absent.")),
        reported: Type.Optional(reported),
        each: Nested,
      },
      closed,
    ),
    table: Type.Object(
      {
        kind: Type.Literal("table"),
        by: Pointer,
        widget,
        cases: Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Nested, { minProperties: 1 }),
        otherwise: Type.String({ description: "The case of every value that is missing or not listed." }),
      },
      closed,
    ),
    sum: Type.Object({ kind: Type.Literal("sum"), parts: Type.Array(Nested, { minItems: 1, maxItems: 20 }) }, closed),
    tokens: Type.Object(
      { kind: Type.Literal("tokens"), rates: Type.Array(TokenRate, { minItems: 1, maxItems: 8 }) },
      closed,
    ),
  };
}

const kinds = termKinds(Type.Ref("PriceTerm"));

// One level deep, for readable problem messages.
export const shallowTerms = { usd: Usd, ...termKinds(Type.Unknown()) };

export const PriceFormat = Type.Object(
  {
    suffix: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
    note: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  },
  { ...closed, description: "What the badge writes behind the amount." },
);

// `{"usd": "0"}` is free, `{"usd": "0.11"}` is flat; everything else is a term with a kind.
export const PriceDefinition = Type.Cyclic(
  {
    PriceTerm: Type.Union([
      Usd,
      kinds.per_second,
      kinds.per_count,
      kinds.per_megapixel,
      kinds.table,
      kinds.sum,
      kinds.tokens,
    ]),
    PriceDefinition: Type.Object({ usd: Type.Ref("PriceTerm"), format: Type.Optional(PriceFormat) }, closed),
  },
  "PriceDefinition",
);

export type PriceDefinition = Static<typeof PriceDefinition>;
export type PriceTerm = PriceDefinition["usd"];
export type PriceTermOf<Kind extends string> = Extract<PriceTerm, { kind: Kind }>;
export type Quantity = Static<typeof Quantity>;
export type Side = Static<typeof Side>;
export type TokenRate = Static<typeof TokenRate>;
