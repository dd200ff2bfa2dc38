// What a derived token may do. Every restriction is an intersection with those of the token it is made from, so no chain of
// tokens ever allows more than any of its members. Pure: the property tests run here.
import { type TokenCapability, tokenCapabilities, tokenOperations } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import { badField } from "../../../foundation/json/bad-field.ts";
import { allows } from "../model-patterns.ts";
import { type AddressRange, includesAddress, narrowRanges, readRange } from "./address-ranges.ts";

export interface Restrictions {
  readonly capabilities: readonly TokenCapability[];
  // Model patterns; none means no model.
  readonly models: readonly string[];
  // Null: not restricted, but no page is let in that is not let in anyway.
  readonly origins: readonly string[] | null;
  // Null: any address.
  readonly addresses: readonly string[] | null;
  readonly endUser: string | null;
  // In micro-credits. Null if only the ancestors limit it.
  readonly creditsMax: bigint | null;
  readonly expiresAt: Date;
}

// What a new token asks for. Absent means the parent's.
export interface WantedRestrictions {
  readonly capabilities: readonly TokenCapability[];
  readonly models?: readonly string[] | undefined;
  readonly origins?: readonly string[] | undefined;
  readonly addresses?: readonly string[] | undefined;
  readonly endUser?: string | undefined;
  readonly creditsMax?: bigint | undefined;
  readonly expiresAt: Date;
}

// What a key or a session may pass on: everything that its scopes reach.
export interface RootRights {
  readonly capabilities: readonly TokenCapability[];
  // Null if it never ends.
  readonly expiresAt: Date | null;
}

type Restriction = "capabilities" | "models" | "origins" | "addresses" | "end_user" | "credits_max" | "expires_at";

export function refuseToken(restriction: Restriction, words: string): Fault {
  return new Fault("forbidden", words, { details: { restriction } });
}

const ofModels: readonly TokenCapability[] = ["call_models", "read_models"];

// The first token of a chain names everything itself.
export function restrictRoot(root: RootRights, wanted: WantedRestrictions): Restrictions {
  const capabilities = narrowCapabilities(root.capabilities, wanted.capabilities);
  const usesModels = capabilities.some((each) => ofModels.includes(each));
  if (usesModels && wanted.models === undefined)
    throw badField("models", "must list the models that the token may use, or *");
  if (capabilities.includes("call_models") && wanted.creditsMax === undefined)
    throw badField("credits_max", "must say how much the token may spend");
  return {
    capabilities,
    models: [...new Set(wanted.models)],
    origins: wanted.origins === undefined ? null : [...new Set(wanted.origins)],
    addresses: wanted.addresses === undefined ? null : normalRanges(wanted.addresses),
    endUser: wanted.endUser ?? null,
    creditsMax: wanted.creditsMax ?? null,
    expiresAt: earlier(root.expiresAt, wanted.expiresAt),
  };
}

export function narrow(parent: Restrictions, wanted: WantedRestrictions): Restrictions {
  const capabilities = narrowCapabilities(parent.capabilities, wanted.capabilities);
  const models = wanted.models === undefined ? parent.models : narrowPatterns(parent.models, wanted.models);
  if (models.length === 0 && parent.models.length > 0)
    throw refuseToken("models", "The token you use allows none of these models.");
  if (wanted.endUser !== undefined && parent.endUser !== null && wanted.endUser !== parent.endUser)
    throw refuseToken("end_user", "The token you use is for another end user.");
  return {
    capabilities,
    models,
    origins: narrowOrigins(parent.origins, wanted.origins),
    addresses: narrowAddresses(parent.addresses, wanted.addresses),
    endUser: parent.endUser ?? wanted.endUser ?? null,
    creditsMax: smaller(parent.creditsMax, wanted.creditsMax ?? null),
    expiresAt: earlier(parent.expiresAt, wanted.expiresAt),
  };
}

function narrowCapabilities(
  has: readonly TokenCapability[],
  wanted: readonly TokenCapability[],
): readonly TokenCapability[] {
  const both = tokenCapabilities.filter((each) => has.includes(each) && wanted.includes(each));
  if (both.length === 0) throw refuseToken("capabilities", "Your credential has none of these capabilities.");
  return both;
}

// `*`, `provider/*` or an id. Two patterns overlap only if one includes the other, so the narrower one is their intersection.
export function narrowPatterns(has: readonly string[], wanted: readonly string[]): readonly string[] {
  const [outer, inner] = [new Set(has), new Set(wanted)];
  const kept = [...inner].filter((pattern) => includesPattern(outer, pattern));
  return [...new Set([...kept, ...[...outer].filter((pattern) => includesPattern(inner, pattern))])];
}

function includesPattern(patterns: ReadonlySet<string>, pattern: string): boolean {
  if (patterns.has("*") || patterns.has(pattern)) return true;
  return pattern !== "*" && patterns.has(`${pattern.slice(0, pattern.indexOf("/"))}/*`);
}

function narrowOrigins(has: readonly string[] | null, wanted: readonly string[] | undefined): readonly string[] | null {
  if (wanted === undefined) return has;
  if (has === null) return [...new Set(wanted)];
  const both = has.filter((origin) => wanted.includes(origin));
  if (both.length === 0) throw refuseToken("origins", "The token you use is for pages of other origins.");
  return both;
}

function narrowAddresses(
  has: readonly string[] | null,
  wanted: readonly string[] | undefined,
): readonly string[] | null {
  if (wanted === undefined) return has;
  const asked = normalRanges(wanted);
  if (has === null) return asked;
  const both = narrowRanges(has, asked);
  if (both.length === 0) throw refuseToken("addresses", "The token you use works only from other addresses.");
  return both;
}

function normalRanges(texts: readonly string[]): readonly string[] {
  return [
    ...new Set(
      texts.map((text) => {
        const range = readRange(text);
        if (range === null) throw badField("addresses", `must be addresses or ranges such as 203.0.113.0/24`);
        return range.text;
      }),
    ),
  ];
}

function smaller(one: bigint | null, other: bigint | null): bigint | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function earlier(one: Date | null, other: Date): Date {
  return one !== null && one < other ? one : other;
}

// The same in the form that a request is checked with.
export interface CompiledRestrictions {
  readonly operations: ReadonlySet<string>;
  readonly capabilities: readonly TokenCapability[];
  readonly models: ReadonlySet<string>;
  readonly origins: ReadonlySet<string> | null;
  readonly ranges: readonly AddressRange[] | null;
}

export function compileRestrictions(
  restrictions: Pick<Restrictions, "capabilities" | "models" | "origins" | "addresses">,
): CompiledRestrictions {
  const { capabilities, models, origins, addresses } = restrictions;
  return {
    operations: new Set(capabilities.flatMap((capability) => tokenOperations[capability])),
    capabilities,
    models: new Set(models),
    origins: origins === null ? null : new Set(origins),
    ranges: addresses === null ? null : addresses.flatMap((text) => readRange(text) ?? []),
  };
}

export interface TokenUse {
  // The operation that the request names. Undefined if it names none.
  readonly operationId: string | undefined;
  readonly origin: string | undefined;
  readonly peer: string;
}

// Null if the token allows it. Otherwise the restriction that it breaks.
export function refusalOfUse(rights: CompiledRestrictions, { operationId, origin, peer }: TokenUse): Fault | null {
  if (rights.origins !== null && !rights.origins.has(origin ?? "")) {
    const words = "This token may only be used by pages of the origins that it names.";
    return new Fault("forbidden_origin", words, { details: { restriction: "origins" } });
  }
  if (rights.ranges !== null && !includesAddress(rights.ranges, peer))
    return refuseToken("addresses", "This token may not be used from this address.");
  if (operationId !== undefined && rights.operations.has(operationId)) return null;
  return refuseToken("capabilities", `This token may only ${rights.capabilities.join(", ")}.`);
}

export function allowsModel(rights: CompiledRestrictions, modelId: string): boolean {
  return allows(rights.models, modelId);
}
