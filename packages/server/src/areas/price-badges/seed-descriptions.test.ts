// The options and bounds of the nodes that have a seed badge, as their descriptors have them.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { NodeDescription } from "../../capabilities/badge-proof/index.ts";
import { seedBadgeList } from "./seed-badges.ts";

const length = { widgets: { length: { options: ["5s", "10s"], default: "5s" } } };
const size = { min: 64, max: 4096, default: 1024 };

const descriptions: Readonly<Record<string, NodeDescription>> = {
  PartnerASkinEnhancerNode: { widgets: { mode: { options: ["creative", "faithful", "flexible"] } } },
  PartnerAUpscalerNode: { widgets: { scale_factor: { options: ["2x", "4x", "8x", "16x"] } } },
  PartnerBTextToVideoNode: {
    widgets: { ...length.widgets, num_frames: { min: 1, max: 128 }, fps: { min: 1, max: 60 } },
  },
  PartnerBImageToVideoNode: length,
  PartnerBVideoToVideoNode: length,
  SandboxImageByResolutionNode: {
    widgets: { model: { options: ["Image 2", "Image 2 Pro"] }, resolution: { options: ["1K", "2K", "4K"] } },
  },
  SandboxMegapixelImageNode: { widgets: { width: size, height: size } },
  SandboxStudioImageNode: {
    widgets: { model: { options: ["Studio", "Studio Max"] }, "model.width": size, "model.height": size },
    inputGroups: { "model.images": { max: 9 } },
  },
  SandboxReferenceImageNode: { inputGroups: { "model.image_ref": { max: 6 } } },
  SandboxImageToVideoNode: {
    widgets: {
      mode: { options: ["std", "pro"] },
      model: { options: ["Motion 1", "Motion 2"] },
      duration: { options: ["5", "10"] },
    },
  },
  SandboxVideoNode: {
    widgets: {
      model: { options: ["Video Lite", "Video Full"] },
      resolution: { options: ["480p", "720p", "1080p"] },
      duration: { min: 3, max: 15, default: 5 },
    },
  },
  SandboxChatNode: { widgets: { model: { options: ["Text Mini", "Text Full", "Text Next"] } } },
  SandboxSpeechNode: { widgets: { voice: { options: ["Plain", "Studio"] } } },
  SandboxMachineTimeNode: { widgets: { machine: { options: ["small", "large"] } } },
};

export function descriptionOf(nodeId: string): NodeDescription {
  return descriptions[nodeId] ?? {};
}

test("every node whose seed badge reads a widget or a group is described", () => {
  for (const { nodeId, badge } of seedBadgeList) {
    const { widgets, input_groups } = badge.depends_on;
    if (widgets.length + input_groups.length > 0) assert.ok(nodeId in descriptions, nodeId);
  }
});
