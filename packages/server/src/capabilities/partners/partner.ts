// A partner that this process can call: its definition with credentials and secrets resolved.
import type { Clock } from "../../foundation/clock.ts";
import { credentialRedaction } from "../../foundation/http/outgoing/redact-answer.ts";
import type { Redaction } from "../../foundation/redaction.ts";
import type { Secret } from "../../foundation/settings.ts";
import type { Price } from "../prices/index.ts";
import { credentialHeaders } from "../providers/index.ts";
import type { PartnerDefinition, PartnerOperation } from "./definition.ts";

export interface PricedOperation {
  readonly operation: PartnerOperation;
  readonly price: Price;
  readonly priceRecordId: string;
}

export interface Partner {
  readonly definition: PartnerDefinition;
  // Null if it cannot be called here, for lack of an address or a credential.
  readonly baseUrl: string | null;
  readonly operations: ReadonlyMap<string, PricedOperation>;
  // Null if callbacks cannot be verified; then they only make us poll.
  readonly callbackKey: Buffer | null;
  credentialHeaders(): Readonly<Record<string, string>>;
  // For the look-up by our reference.
  askHeaders(): Readonly<Record<string, string>>;
  // Removes our credentials from what the partner says, and also the given request headers.
  redaction(sent?: Readonly<Record<string, string>>): Redaction;
}

export interface PreparePartner {
  readonly definition: PartnerDefinition;
  readonly operations: readonly PricedOperation[];
  readonly secretOf: (setting: string) => Secret | null;
  readonly clock: Clock;
}

export function preparePartner({ definition, operations, secretOf, clock }: PreparePartner): Partner {
  const { credential, callback } = definition;
  const secret = credential.kind === "none" ? null : secretOf(credential.setting);
  const own = definition.ask?.credential;
  const secrets = [
    ...(credential.kind === "none" ? [] : [credential.setting]),
    ...(own === undefined || own.kind === "none" ? [] : [own.setting]),
    ...(callback?.setting === undefined ? [] : [callback.setting]),
  ].flatMap((setting) => secretOf(setting)?.reveal() ?? []);
  const isReachable = credential.kind === "none" || secret !== null;
  return {
    definition,
    baseUrl: isReachable ? (definition.base_url?.replace(/\/+$/, "") ?? null) : null,
    operations: new Map(operations.map((one) => [one.operation.name, one])),
    callbackKey: callbackKeyOf(callback, secretOf),
    credentialHeaders: () => credentialHeaders(credential, secret, clock),
    redaction: (sent = {}) => credentialRedaction([...secrets, ...Object.values(sent)]),
    askHeaders() {
      if (own === undefined) return credentialHeaders(credential, secret, clock);
      return credentialHeaders(own, own.kind === "none" ? null : secretOf(own.setting), clock);
    },
  };
}

function callbackKeyOf(
  callback: PartnerDefinition["callback"],
  secretOf: (setting: string) => Secret | null,
): Buffer | null {
  if (!callback || callback.verify === "none" || callback.setting === undefined) return null;
  const text = secretOf(callback.setting)?.reveal();
  if (text === undefined) return null;
  return callback.verify === "standard_webhooks_raw"
    ? Buffer.from(text)
    : Buffer.from(text.replace(/^whsec_/, ""), "base64");
}
