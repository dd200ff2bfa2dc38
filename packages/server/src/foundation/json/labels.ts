// What a caller counts a request under: tags, which map text to text, and its own id for the person the request is for. The
// limits of tags are those of the public service, so that everything that is a label there is one here (decision 0025). Anything
// that cannot be stored exactly as given is refused. Keys are treated as data only: `__proto__` is a key like any other.
import { headerName, limits } from "@atelier/contract";
import { Fault } from "../fault.ts";
import { isRecord } from "./json-record.ts";

export type Tags = Readonly<Record<string, string>>;

export interface Labels {
  readonly tags: Tags | null;
  readonly endUser: string | null;
}

export const noLabels: Labels = { tags: null, endUser: null };

const { jobLabelsMax, jobLabelKeyLengthMax, jobLabelValueBytesMax, endUserLengthMax } = limits;
const tagKey = new RegExp(`^[A-Za-z0-9_.-]{1,${jobLabelKeyLengthMax}}$`);
const endUserText = new RegExp(`^[!-~]{1,${endUserLengthMax}}$`);
const tagsHeader = headerName.tags.toLowerCase();
const endUserHeader = headerName.endUser.toLowerCase();

// Null if they all fit in one map. The same rules apply to submissions and to filters.
export function checkPairs(pairs: readonly (readonly [string, string])[]): string | null {
  if (pairs.length > jobLabelsMax) return `has ${pairs.length} pairs; at most ${jobLabelsMax} are allowed`;
  for (const [key, value] of pairs) {
    if (!isTagKey(key))
      return `has the key ${JSON.stringify(key.slice(0, 60))}: a key must have 1 to ${jobLabelKeyLengthMax} characters from A-Z, a-z, 0-9, _, - and .`;
    const problem = problemOf(value);
    if (problem !== null) return `${problem} (the value of ${key})`;
    if (Buffer.byteLength(value) > jobLabelValueBytesMax)
      return `has a value of more than ${jobLabelValueBytesMax} bytes, for the key ${key}`;
  }
  return null;
}

// The pairs of a map of strings, or what is wrong with it.
export function readPairs(given: Readonly<Record<string, unknown>>): Tags | string {
  const pairs: [string, string][] = [];
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== "string") return "has a value that is not a string";
    pairs.push([key, value]);
  }
  return checkPairs(pairs) ?? Object.fromEntries(pairs);
}

export const isTagKey = (text: string) => tagKey.test(text);
export const isEndUser = (text: string) => endUserText.test(text);

// PostgreSQL cannot store NUL in a text, and half a surrogate pair would come back as another character.
export function problemOf(text: string): string | null {
  if (text.includes("\0")) return "contains the character U+0000";
  return text.isWellFormed() ? null : "contains half of a surrogate pair, which is not a valid character";
}

// The headers of a call. `bound`: the end user that the caller's token is for, who cannot be replaced by another.
export function readLabels(rawHeaders: readonly string[], bound: string | null = null): Labels {
  let tags: string | null = null;
  let endUser: string | null = null;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase();
    if (name !== tagsHeader && name !== endUserHeader) continue;
    const value = rawHeaders[index + 1] ?? "";
    if ((name === tagsHeader ? tags : endUser) !== null)
      throw new Fault(
        "invalid_request",
        `${name === tagsHeader ? headerName.tags : headerName.endUser} was sent twice.`,
      );
    if (name === tagsHeader) tags = value;
    else endUser = value;
  }
  if (tags === null && endUser === null) return bound === null ? noLabels : { tags: null, endUser: bound };
  return { tags: tags === null ? null : tagsIn(tags), endUser: endUserIn(endUser, bound) };
}

// An empty map means no tags.
export function tagsOf(given: unknown, where: string): Tags | null {
  const tags = isRecord(given) ? readPairs(given) : 'must be a map of strings, such as {"project":"spring"}';
  if (typeof tags === "string") throw new Fault("invalid_request", `${where} ${tags}.`);
  return Object.keys(tags).length === 0 ? null : tags;
}

function tagsIn(text: string): Tags | null {
  // Other characters would arrive as bytes of an encoding that nothing names.
  if (!/^[ -~]*$/.test(text))
    throw new Fault(
      "invalid_request",
      `${headerName.tags} must be JSON in ASCII: write other characters as \\u escapes.`,
    );
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new Fault("invalid_request", `${headerName.tags} must be a JSON object, such as {"project":"spring"}.`);
  }
  return tagsOf(given, headerName.tags);
}

export function endUserIn(
  given: string | null,
  bound: string | null,
  where: string = headerName.endUser,
): string | null {
  if (given === null) return bound;
  if (!isEndUser(given))
    throw new Fault("invalid_request", `${where} must have 1 to ${endUserLengthMax} visible ASCII characters.`);
  if (bound !== null && given !== bound) throw new Fault("forbidden", "This token is for another end user.");
  return given;
}
