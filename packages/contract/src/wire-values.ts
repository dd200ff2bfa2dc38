// Small values that many entities share, so that the same kind of value has one shape on the whole wire.
import { type Static, type TObjectOptions, type TProperties, type TSchema, type TSchemaOptions, Type } from "typebox";

// A schema with a `title` is a named entity: the OpenAPI document holds it once under components and refers to it.
export function entity<Properties extends TProperties>(
  title: string,
  description: string,
  properties: Properties,
  options: TObjectOptions = {},
) {
  return Type.Object(properties, { title, description, ...options });
}

// The format alone admits capitals, which our ids never have: two spellings of one id would be two ids.
export const uuidPattern = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$";
export const Uuid = Type.String({
  format: "uuid",
  pattern: uuidPattern,
  description: "A lower-case UUID.",
});

export const Timestamp = Type.String({
  format: "date-time",
  description: "A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds.",
});

// A string, because a JSON number would lose micro-credits of large balances.
export const Credits = Type.String({
  pattern: "^-?(0|[1-9][0-9]*)(\\.[0-9]{1,6})?$",
  description: "An amount of credits, as a decimal string with at most six decimal places.",
});

// The addresses we call: https, and in development also http to addresses that an operator has listed.
export function webhookUrl(description: string) {
  return Type.String({ format: "uri", pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^/]", description });
}

// Stricter than the RFC on purpose: no quotes, no comments, ASCII, so it can be put into a header and an SMTP command as it is.
export const mailAddressPattern = "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}([.][A-Za-z0-9-]{1,63})*$";
export const MailAddress = Type.String({
  pattern: mailAddressPattern,
  maxLength: 254,
  description: "An e-mail address in ASCII, without a name.",
});

// Decisions, section 10: which event happened. Sent in webhook bodies, not in reads.
export const partnerTaskEvent = Type.String({
  pattern: "^partner_task[.]",
  description: "What happened: partner_task.running, partner_task.completed. Not in reads.",
});

export function nullable<Schema extends TSchema>(schema: Schema, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}

// A name needs more than blanks.
export const notBlank = "\\S";

// A media type with its parameters, as in RFC 9110.
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
export const mediaTypePattern = `^${token}/${token}([ \\t]*;[ \\t]*${token}=(${token}|"[ !#-\\[\\]-~]*"))*$`;

export const OpenObject = Type.Record(Type.String(), Type.Unknown());
export type OpenObject = Static<typeof OpenObject>;

// A map with any keys and values of one kind. The library's own record accepts anything under a key that contains a line break,
// because it matches keys against `^.*$`.
export function mapOf<Value extends TSchema>(value: Value, options: TObjectOptions = {}) {
  return Type.Unsafe<Record<string, Static<Value>>>({ type: "object", ...options, additionalProperties: value });
}

// A closed set of words. JSON Schema needs no `type` beside `enum`, but client generators read it.
export function wordOf<const Words extends string[]>(words: readonly [...Words], options: TSchemaOptions = {}) {
  return Type.Enum(words, { type: "string", ...options });
}
