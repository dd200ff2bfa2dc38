// Health: /health and /livez say that the process answers; /readyz says whether it can do its work.
import { type Static, Type } from "typebox";
import { entity, wordOf } from "./wire-values.ts";

export const healthChallengePattern = "^[A-Za-z0-9_-]{16,128}$";

export const HealthQuery = Type.Object({
  challenge: Type.Optional(
    Type.String({
      pattern: healthChallengePattern,
      description:
        "A random value. The response then contains a proof that anyone who can read the data folder can verify. Malformed values are ignored.",
    }),
  ),
});

export const Health = entity("Health", "The process responds. Nothing else was checked.", {
  status: Type.Literal("ok"),
  proof: Type.Optional(
    Type.String({
      description:
        "On /health with a challenge: base64url HMAC-SHA256, keyed with proof_key from server.json in the data folder, over `atelier-health`, the Host in lower case and the challenge, joined by line feeds.",
    }),
  ),
});

export const Readiness = entity("Readiness", "Whether this process should receive work.", {
  status: wordOf(["ready", "not_ready"], { description: "not_ready comes with status 503." }),
  checks: Type.Record(
    Type.String(),
    Type.Object({
      status: wordOf(["ok", "failing"]),
      message: Type.Optional(Type.String({ description: "What is wrong, without addresses or secrets." })),
    }),
    { description: "What was checked: database, blob store, release state and others." },
  ),
});
export type Readiness = Static<typeof Readiness>;

export const WorkflowHealth = entity("WorkflowHealth", "Whether the v2 API is up.", {
  status: wordOf(["healthy", "degraded"], { description: "degraded: jobs are accepted but cannot run now." }),
  version: Type.Optional(Type.String({ description: "The server's version." })),
  upstream: Type.Optional(Type.String({ description: "The application's URL, on a self-hosted surface." })),
  upstream_state: Type.Optional(
    wordOf(["unknown", "up", "down"], {
      description: "The last known state of the application. It is not contacted for this request.",
    }),
  ),
});
export type WorkflowHealth = Static<typeof WorkflowHealth>;

export const Index = entity("Index", "What this server is and where its documents are.", {
  name: Type.String({ description: "The name of the software." }),
  version: Type.String({ description: "The server's version." }),
  urls: Type.Object({
    openapi: Type.String({ description: "The OpenAPI document." }),
    docs: Type.String({ description: "The API reference." }),
    llms: Type.String({ description: "The description for language models." }),
    ready: Type.String({ description: "Whether the process is ready." }),
  }),
});
export type Index = Static<typeof Index>;

const link = (description: string) => Type.String({ format: "uri-reference", description });

export const WorkflowUrls = entity("WorkflowUrls", "Links. Absent for what this surface does not have.", {
  self: link("This index."),
  jobs: link("GET lists jobs, POST submits a workflow."),
  cancel_jobs: link("POST here to cancel several jobs."),
  assets: link("GET lists assets, POST uploads one."),
  assets_from_hash: link("POST here to create an asset from a known hash."),
  assets_from_path: Type.Optional(link("POST here to import a file from the application behind this surface.")),
  uploads: link("POST here to start a resumable upload."),
  node_classes: link("The available node classes."),
  convert_workflow: link("POST here to convert an editor workflow to API format."),
  executed_workflow: Type.Optional(link("The newest executed graph.")),
  health: link("The health of v2."),
  openapi: link("The OpenAPI document of this surface."),
});

export const WorkflowIndex = entity("WorkflowIndex", "The v2 entry point. Links are relative to the host.", {
  version: Type.Literal("v2"),
  urls: WorkflowUrls,
});
export type WorkflowIndex = Static<typeof WorkflowIndex>;
