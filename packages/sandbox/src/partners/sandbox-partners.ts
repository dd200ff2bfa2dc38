// The sandbox's partners as data: where each is, how to call it, and its words for the states of a task. Credentials and secrets
// are passed in when the sandbox starts and are not part of it.
import { skinModes } from "../light/skin.ts";

export type PartnerSlug = "partner-a" | "partner-b";

export interface SandboxPartner {
  readonly slug: PartnerSlug;
  // Relative to the sandbox's address.
  readonly basePath: `/${PartnerSlug}`;
  readonly credential: { readonly header: string; readonly prefix: "" | "Bearer " };
  readonly operations: readonly {
    readonly name: string;
    readonly submitPath: string;
    readonly submitStatus: 200 | 201;
    readonly readPath: string;
  }[];
  readonly states: Readonly<Record<"created" | "running" | "completed" | "failed", string>>;
}

const skin = (mode: string) =>
  ({
    name: `skin-enhancer/${mode}`,
    submitPath: `/v1/ai/skin-enhancer/${mode}`,
    submitStatus: 200,
    readPath: "/v1/ai/skin-enhancer/{task_id}",
  }) as const;
const tool = (name: string) =>
  ({
    name,
    submitPath: `/v1/ai/${name}`,
    submitStatus: 200,
    readPath: `/v1/ai/${name}/{task_id}`,
  }) as const;
const video = (kind: string) =>
  ({ name: kind, submitPath: `/prompts/${kind}`, submitStatus: 201, readPath: "/prompts/{task_id}" }) as const;

export const sandboxPartners: Readonly<Record<PartnerSlug, SandboxPartner>> = {
  "partner-a": {
    slug: "partner-a",
    basePath: "/partner-a",
    credential: { header: "X-Partner-A-Api-Key", prefix: "" },
    operations: [
      tool("image-relight"),
      ...skinModes.map(skin),
      tool("image-upscaler"),
      tool("image-upscaler-precision-v2"),
      tool("image-style-transfer"),
    ],
    states: { created: "CREATED", running: "IN_PROGRESS", completed: "COMPLETED", failed: "FAILED" },
  },
  "partner-b": {
    slug: "partner-b",
    basePath: "/partner-b",
    credential: { header: "Authorization", prefix: "Bearer " },
    operations: [video("text-to-video"), video("image-to-video"), video("video-to-video")],
    states: { created: "pending", running: "processing", completed: "completed", failed: "error" },
  },
};
