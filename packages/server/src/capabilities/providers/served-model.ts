// A model that this server can run now: its definition with everything prepared once, so that a call only looks up.
import type { CompiledSchema } from "../../foundation/json/schema.ts";
import type { Secret } from "../../foundation/settings.ts";
import type { ModelDefinition } from "./definition.ts";
import type { ModelMarks } from "./model-marks.ts";
import type { ModelRunner } from "./model-runner.ts";

export interface ServedModel {
  readonly id: string;
  // Present if this server runs the model itself. Then nothing below that concerns a provider's address is used.
  readonly runner?: ModelRunner;
  readonly provider: string;
  readonly definition: ModelDefinition;
  // The stored version of the provider's definition, so that the call can finish with it. Null if the definition exists
  // only in this process.
  readonly definitionVersion: number | null;
  // Absent on a model that a call began with and that is no longer listed.
  readonly marks?: ModelMarks;
  readonly baseUrl: string;
  // The provider's fixed headers, sent with every request.
  readonly headers: Readonly<Record<string, string>>;
  readonly referenceHeader: string | null;
  // Every host a workspace's own credential would be sent to. Null if workspaces cannot bring one.
  readonly ownCredentialHosts: readonly string[] | null;
  // True if this server has no credential for it, so only workspaces with their own can use it.
  readonly needsOwnCredential?: boolean;
  // Made with the configured credential, or with `own` of the same kind.
  credentialHeaders(own?: Secret): Readonly<Record<string, string>>;
  // What those headers are made from. None of it may come back in an answer.
  secrets?(own?: Secret): readonly string[];
  // The setting that holds the configured credential.
  readonly credentialSetting?: string;
  // Null if no schema was written; then any JSON object is accepted.
  readonly schema: CompiledSchema<object> | null;
  // The document we serve; the validator is compiled from the schema inside it.
  readonly schemaDocument: Readonly<Record<string, unknown>>;
}
