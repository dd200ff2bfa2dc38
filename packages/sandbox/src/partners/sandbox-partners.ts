// The sandbox's partners as data: what a proxy needs in order to call them. Credentials and secrets are passed in when
// the sandbox starts and are not part of it.

export type PartnerSlug = "partner-a" | "partner-b";

export interface SandboxPartner {
  readonly slug: PartnerSlug;
  readonly title: string;
  // Behind the sandbox's address.
  readonly basePath: `/${PartnerSlug}`;
  readonly credential: { readonly header: string; readonly prefix: "" | "Bearer " };
  readonly operations: readonly {
    readonly name: string;
    readonly submitPath: string;
    readonly submitStatus: 200 | 201;
    readonly readPath: string;
  }[];
  readonly taskIdPointer: string;
  readonly statusPointer: string;
  readonly states: {
    readonly created: string;
    readonly running: string;
    readonly completed: string;
    readonly failed: string;
  };
  readonly resultPointer: string;
  readonly callback: {
    readonly urlMember: "webhook_url";
    readonly taskIdPointer: string;
    readonly statusPointer: string;
    readonly idHeader: "webhook-id";
    readonly timestampHeader: "webhook-timestamp";
    readonly signatureHeader: "webhook-signature";
    // The secret's UTF-8 bytes are the key.
    readonly secretEncoding: "utf-8";
  };
  readonly referenceHeader: "X-Request-Reference";
  readonly idempotencyHeader: "Idempotency-Key";
}

const callback = {
  urlMember: "webhook_url",
  statusPointer: "/status",
  idHeader: "webhook-id",
  timestampHeader: "webhook-timestamp",
  signatureHeader: "webhook-signature",
  secretEncoding: "utf-8",
} as const;
const counted = { referenceHeader: "X-Request-Reference", idempotencyHeader: "Idempotency-Key" } as const;

const skin = (mode: string) =>
  ({
    name: `skin-enhancer/${mode}`,
    submitPath: `/v1/ai/skin-enhancer/${mode}`,
    submitStatus: 200,
    readPath: "/v1/ai/skin-enhancer/{task_id}",
  }) as const;
const video = (kind: string) =>
  ({ name: kind, submitPath: `/prompts/${kind}`, submitStatus: 201, readPath: "/prompts/{task_id}" }) as const;

export const sandboxPartners: Readonly<Record<PartnerSlug, SandboxPartner>> = {
  "partner-a": {
    slug: "partner-a",
    title: "Sandbox image tools",
    basePath: "/partner-a",
    credential: { header: "X-Partner-A-Api-Key", prefix: "" },
    operations: [
      {
        name: "image-relight",
        submitPath: "/v1/ai/image-relight",
        submitStatus: 200,
        readPath: "/v1/ai/image-relight/{task_id}",
      },
      skin("flexible"),
      skin("creative"),
      skin("faithful"),
    ],
    taskIdPointer: "/data/task_id",
    statusPointer: "/data/status",
    states: { created: "CREATED", running: "IN_PROGRESS", completed: "COMPLETED", failed: "FAILED" },
    resultPointer: "/data/generated",
    callback: { ...callback, taskIdPointer: "/task_id" },
    ...counted,
  },
  "partner-b": {
    slug: "partner-b",
    title: "Sandbox videos",
    basePath: "/partner-b",
    credential: { header: "Authorization", prefix: "Bearer " },
    operations: [video("text-to-video"), video("image-to-video")],
    taskIdPointer: "/id",
    statusPointer: "/status",
    states: { created: "pending", running: "processing", completed: "completed", failed: "error" },
    resultPointer: "/output_url",
    callback: { ...callback, taskIdPointer: "/id" },
    ...counted,
  },
};
