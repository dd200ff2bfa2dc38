// A model that this server can run now: its definition with everything made ready once, so that a call only looks up.
import type { CompiledSchema } from "../../foundation/json/schema.ts";
import type { Secret } from "../../foundation/settings.ts";
import type { ModelDefinition } from "./definition.ts";
import type { ModelMarks } from "./model-marks.ts";

export interface ServedModel {
  readonly id: string;
  readonly provider: string;
  readonly definition: ModelDefinition;
  // Which stored version of the provider's definition this is, so that a call can be ended by it; null for one that
  // lives and dies with this process.
  readonly definitionVersion: number | null;
  // Absent on a model that a call began with and that is no longer listed.
  readonly marks?: ModelMarks;
  readonly baseUrl: string;
  // Fixed ones of the provider, for every request.
  readonly headers: Readonly<Record<string, string>>;
  readonly referenceHeader: string | null;
  // Every host that a workspace's own credential would be sent to; null: none may be brought.
  readonly ownCredentialHosts: readonly string[] | null;
  // This server has no credential for it: it is there only for workspaces that brought their own.
  readonly needsOwnCredential?: boolean;
  // Under the configured credential, or under another one of the same kind.
  credentialHeaders(own?: Secret): Readonly<Record<string, string>>;
  // What those headers are made from: of it nothing may come back in an answer.
  secrets?(own?: Secret): readonly string[];
  // The name of the setting that holds the configured credential.
  readonly credentialSetting?: string;
  // Null: no schema was authored, and any JSON object is admitted.
  readonly schema: CompiledSchema<object> | null;
  // The document that is served; the validator is compiled from the schema inside it.
  readonly schemaDocument: Readonly<Record<string, unknown>>;
}
