// Health: /health and /livez say that the process answers; /readyz says whether it can do its work.
import { type Static, Type } from "typebox";
import { entity, wordOf } from "./wire-values.ts";

export const healthChallengePattern = "^[A-Za-z0-9_-]{16,128}$";

export const HealthQuery = Type.Object({
  challenge: Type.Optional(
    Type.String({
      pattern: healthChallengePattern,
      description:
        "Something unpredictable: the answer then holds a proof that whoever can read the data folder can check. Anything else is ignored.",
    }),
  ),
});

export const Health = entity("Health", "The process answers; nothing else was asked.", {
  status: Type.Literal("ok"),
  proof: Type.Optional(
    Type.String({
      description:
        "On /health with a challenge: HMAC-SHA256 in base64url under the proof_key of server.json in the data folder, over `atelier-health`, the Host in lower case and the challenge, joined by line feeds.",
    }),
  ),
});
export type Health = Static<typeof Health>;

export const Readiness = entity("Readiness", "Whether this process should be given work.", {
  status: wordOf(["ready", "not_ready"], { description: "not_ready is answered 503." }),
  checks: Type.Record(
    Type.String(),
    Type.Object({
      status: wordOf(["ok", "failing"]),
      message: Type.Optional(Type.String({ description: "What is wrong, without addresses or secrets." })),
    }),
    { description: "What was looked at: database, blob store, release state and others." },
  ),
});
export type Readiness = Static<typeof Readiness>;

export const WorkflowHealth = entity("WorkflowHealth", "Whether the v2 API answers.", {
  status: wordOf(["healthy", "degraded"], { description: "degraded: jobs are taken but cannot run now." }),
  version: Type.Optional(Type.String({ description: "The server's version." })),
  upstream: Type.Optional(Type.String({ description: "Where the application is, on a self-hosted surface." })),
  upstream_state: Type.Optional(
    wordOf(["unknown", "up", "down"], { description: "How the application was last seen; it is not asked now." }),
  ),
});
export type WorkflowHealth = Static<typeof WorkflowHealth>;

export const Index = entity("Index", "What this server is and where its documents are.", {
  name: Type.String({ description: "The program's name." }),
  version: Type.String({ description: "The server's version." }),
  urls: Type.Object({
    openapi: Type.String({ description: "The OpenAPI document." }),
    docs: Type.String({ description: "The API reference, for people." }),
    llms: Type.String({ description: "The description for language models." }),
    ready: Type.String({ description: "Whether the process can do its work." }),
  }),
});
export type Index = Static<typeof Index>;

const link = (description: string) => Type.String({ format: "uri-reference", description });

export const WorkflowUrls = entity(
  "WorkflowUrls",
  "Where to go from here; what this surface does not have is absent.",
  {
    self: link("This index."),
    jobs: link("GET lists jobs, POST submits a workflow."),
    cancel_jobs: link("POST here to cancel several jobs."),
    assets: link("GET lists assets, POST uploads one."),
    assets_from_hash: link("POST here what the workspace has already, by its hash."),
    assets_from_path: Type.Optional(link("POST here a file of the application beside this surface.")),
    uploads: link("POST here to begin a resumable upload."),
    node_classes: link("What graphs can be made of."),
    convert_workflow: link("POST here an editor's workflow to have it in API format."),
    executed_workflow: Type.Optional(link("The newest executed graph.")),
    health: link("Whether v2 answers."),
    openapi: link("The OpenAPI document of this surface."),
  },
);
export type WorkflowUrls = Static<typeof WorkflowUrls>;

export const WorkflowIndex = entity("WorkflowIndex", "Where v2 begins here: links relative to the host.", {
  version: Type.Literal("v2"),
  urls: WorkflowUrls,
});
export type WorkflowIndex = Static<typeof WorkflowIndex>;
