// The badges a fresh installation begins with: one for each kind of price, for the nodes of our two partners and of the
// sandbox. All four result types occur; some begin, end or change with a version; some are for one platform only.
import type { Badge } from "../../capabilities/badge-proof/index.ts";
import type { AppVersion } from "./app-version.ts";
import type { Platform } from "./badge-row.ts";

export interface SeedBadge {
  readonly nodeId: string;
  readonly platforms: readonly Platform[];
  readonly fromVersion: AppVersion;
  readonly untilVersion: AppVersion | null;
  readonly ended: boolean;
  readonly badge: Badge;
}

interface Reads {
  readonly widgets?: Readonly<Record<string, string>>;
  readonly inputs?: readonly string[];
  readonly groups?: readonly string[];
}

interface Shown {
  readonly platforms?: readonly Platform[];
  readonly from?: AppVersion;
  readonly until?: AppVersion;
  readonly ended?: boolean;
}

function seed(nodeId: string, expr: string, reads: Reads = {}, shown: Shown = {}): SeedBadge {
  return {
    nodeId,
    platforms: shown.platforms ?? ["cloud", "local"],
    fromVersion: shown.from ?? [0, 0, 0],
    untilVersion: shown.until ?? null,
    ended: shown.ended ?? false,
    badge: {
      engine: "jsonata",
      depends_on: {
        widgets: Object.entries(reads.widgets ?? {}).map(([name, type]) => ({ name, type })),
        inputs: reads.inputs ?? [],
        input_groups: reads.groups ?? [],
      },
      expr,
    },
  };
}

const fixed = (usd: number) => `{"type": "usd", "usd": ${usd}}`;

const partnerA: readonly SeedBadge[] = [
  seed("PartnerARelightNode", fixed(0.11)),
  seed("PartnerAStyleTransferNode", fixed(0.11)),
  seed(
    "PartnerASkinEnhancerNode",
    `{
  "type": "usd",
  "usd": $lookup({"creative": 0.29, "faithful": 0.37, "flexible": 0.45}, widgets.mode)
}`,
    { widgets: { mode: "COMBO" } },
  ),
  seed(
    "PartnerAUpscalerNode",
    `(
  $least := {"2x": 0.1, "4x": 0.2, "8x": 0.4, "16x": 0.8};
  $most := widgets.auto_downscale
    ? {"2x": 0.2, "4x": 0.4, "8x": 0.8, "16x": 1.2}
    : {"2x": 0.2, "4x": 0.6, "8x": 1.2, "16x": 1.6};
  {
    "type": "range_usd",
    "min_usd": $lookup($least, widgets.scale_factor),
    "max_usd": $lookup($most, widgets.scale_factor),
    "format": {"approximate": true}
  }
)`,
    { widgets: { scale_factor: "COMBO", auto_downscale: "BOOLEAN" } },
  ),
];

const byLength = (short: number, long: number) => `{"type": "usd", "usd": widgets.length = "10s" ? ${long} : ${short}}`;
const length = { widgets: { length: "COMBO" } };

const partnerB: readonly SeedBadge[] = [
  seed("PartnerBTextToVideoNode", byLength(1.5, 3), length, { until: [2, 0, 0] }),
  // From 2.0.0 the node takes frames instead of a length.
  seed(
    "PartnerBTextToVideoNode",
    `{"type": "usd", "usd": $round(widgets.num_frames / widgets.fps * 0.28, 4), "format": {"approximate": true}}`,
    { widgets: { num_frames: "INT", fps: "INT" } },
    { from: [2, 0, 0] },
  ),
  seed("PartnerBImageToVideoNode", byLength(1.5, 3), length),
  seed("PartnerBVideoToVideoNode", byLength(2.25, 4), length),
];

const sandboxImages: readonly SeedBadge[] = [
  seed("SandboxImageNode", `{"type": "text", "text": "Free"}`),
  seed("SandboxImageFastNode", fixed(0.03)),
  seed("SandboxImageFineNode", fixed(0.06)),
  seed(
    "SandboxImagePreviewNode",
    `{"type": "usd", "usd": 0.039, "format": {"suffix": "/Image (1K)", "approximate": true}}`,
  ),
  seed(
    "SandboxImageByResolutionNode",
    `(
  $prices := $contains(widgets.model, "pro")
    ? {"1k": 0.134, "2k": 0.134, "4k": 0.24}
    : {"1k": 0.067, "2k": 0.101, "4k": 0.151};
  {"type": "usd", "usd": $lookup($prices, widgets.resolution), "format": {"suffix": "/Image"}}
)`,
    { widgets: { model: "COMBO", resolution: "COMBO" } },
  ),
  seed(
    "SandboxMegapixelImageNode",
    `(
  $base := $round($max([1, widgets.width * widgets.height / 1000000]) * 0.03, 4);
  inputs.images.connected
    ? {"type": "range_usd", "min_usd": $base + 0.015, "max_usd": $base + 0.12, "format": {"approximate": true}}
    : {"type": "usd", "usd": $base}
)`,
    { widgets: { width: "INT", height: "INT" }, inputs: ["images"] },
  ),
  seed(
    "SandboxStudioImageNode",
    `(
  $megapixels := $lookup(widgets, "model.width") * $lookup(widgets, "model.height") / 1000000;
  $rate := widgets.model = "studio max" ? 0.07 : 0.03;
  {"type": "usd", "usd": $round($megapixels * $rate + 0.015 * inputGroups.\`model.images\`, 4)}
)`,
    { widgets: { model: "COMBO", "model.width": "INT", "model.height": "INT" }, groups: ["model.images"] },
    { from: [1, 0, 0] },
  ),
  seed(
    "SandboxReferenceImageNode",
    `{"type": "usd", "usd": $round(0.04 + 0.003 * $lookup(inputGroups, "model.image_ref"), 4)}`,
    { groups: ["model.image_ref"] },
  ),
  // Clients from 1.2.0 have SandboxImageFineNode in its place.
  seed("SandboxLegacyUpscaleNode", fixed(0.02), {}, { until: [1, 2, 0] }),
  seed("SandboxRetiredImageNode", fixed(0.05), {}, { ended: true }),
];

const sandboxVideoAndMore: readonly SeedBadge[] = [
  seed(
    "SandboxImageToVideoNode",
    `{
  "type": "usd",
  "usd": widgets.mode = "pro"
    ? (widgets.duration = "10" ? 0.98 : 0.49)
    : widgets.model = "motion 2"
      ? (widgets.duration = "10" ? 0.56 : 0.28)
      : (widgets.duration = "10" ? 0.42 : 0.21)
}`,
    { widgets: { mode: "COMBO", model: "COMBO", duration: "COMBO" } },
  ),
  seed(
    "SandboxVideoNode",
    `(
  $perSecond := $lookup($lookup({
    "video lite": {"480p": [0.01, 0.02], "720p": [0.02, 0.04], "1080p": [0.05, 0.09]},
    "video full": {"480p": [0.03, 0.05], "720p": [0.06, 0.1], "1080p": [0.12, 0.2]}
  }, widgets.model), widgets.resolution);
  $factor := widgets.duration * (widgets.with_audio ? 1.5 : 1);
  {
    "type": "range_usd",
    "min_usd": $round($perSecond[0] * $factor, 4),
    "max_usd": $round($perSecond[1] * $factor, 4),
    "format": {"approximate": true, "note": "(by motion)"}
  }
)`,
    { widgets: { model: "COMBO", resolution: "COMBO", duration: "INT", with_audio: "BOOLEAN" } },
  ),
  seed("SandboxDraftVideoNode", fixed(0.25), {}, { from: [1, 0, 0], until: [1, 5, 0] }),
  seed("SandboxDraftVideoNode", fixed(0.2), {}, { from: [1, 5, 0] }),
  seed(
    "SandboxChatNode",
    `(
  $per1000 := $lookup({"text mini": [0.00015, 0.0006], "text full": [0.00125, 0.01]}, widgets.model);
  $exists($per1000)
    ? {"type": "list_usd", "usd": $per1000, "format": {"suffix": " per 1K tokens", "separator": " in, "}}
    : {"type": "text", "text": "By tokens"}
)`,
    { widgets: { model: "COMBO" } },
  ),
  seed(
    "SandboxSpeechNode",
    `{"type": "text", "text": widgets.voice = "studio" ? "By second, studio voice" : "By second"}`,
    { widgets: { voice: "COMBO" } },
    { from: [1, 3, 0] },
  ),
  // Only the managed cloud runs a graph on machines of ours.
  seed(
    "SandboxMachineTimeNode",
    `{"type": "usd", "usd": $lookup({"small": 0.0004, "large": 0.0011}, widgets.machine),
  "format": {"suffix": "/second", "approximate": true}}`,
    { widgets: { machine: "COMBO" } },
    { platforms: ["cloud"] },
  ),
  seed("SandboxSharedQueueNode", fixed(0.01), {}, { platforms: ["cloud"], from: [1, 1, 0] }),
];

export const seedBadgeList: readonly SeedBadge[] = [...partnerA, ...partnerB, ...sandboxImages, ...sandboxVideoAndMore];
