// Tools of the two partners that the contract does not name and public clients of such proxies call: two that enlarge an
// image, one that transfers a style, and films after films. They are offered where a process asks for them (decisions,
// section 9); everywhere else they do not exist.
import { InferenceParams } from "@atelier/contract";
import { type TSchemaOptions, Type } from "typebox";
import type { ImageRule, PartnerDefinition, PartnerOperation } from "../../capabilities/partners/index.ts";

type Offer = Pick<PartnerDefinition, "operations" | "reads">;

const words = (list: readonly [string, ...string[]], description: string) =>
  Type.Optional(Type.String({ enum: [...list], default: list[0], description }));
const percent = (usual: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 100, default: usual, description }));
const slider = (description: string) =>
  Type.Optional(Type.Integer({ minimum: -10, maximum: 10, default: 0, description }));
const flag = (usual: boolean, description: string) => Type.Optional(Type.Boolean({ default: usual, description }));
const picture = (description: string) => Type.String({ minLength: 1, description: `${description}: base64 or a URL.` });
const text = (description: string, options: TSchemaOptions = {}) =>
  Type.Optional(Type.String({ description, ...options }));
const webhookUrl = Type.Optional(
  Type.String({ minLength: 1, description: "Told by us on every status change: https, on the port of https." }),
);

const anyWeb: ImageRule["schemes"] = ["http", "https"];
const image = (pointer: string): ImageRule => ({ pointer, base64: true, schemes: anyWeb, own: "base64" });

// Twice a side is one step of the partner's, and each step costs. The application's node writes the factor as a word, also
// where the partner takes a number.
const factorPrices = { "2x": "0.17", "4x": "0.34", "8x": "0.52", "16x": "0.85" };
const numberPrices = Array.from({ length: 15 }, (_, at) => at + 2).map((times) => {
  const price = times <= 2 ? "0.17" : times <= 4 ? "0.34" : times <= 8 ? "0.52" : "0.85";
  return [String(times), price] as const;
});
const byFactor = (cases: Readonly<Record<string, string>>) => ({
  usd: { kind: "table", by: "/scale_factor", widget: "scale_factor", cases, otherwise: "2x" },
});

interface Tool extends Pick<PartnerOperation, "title" | "schema" | "price" | "images"> {
  readonly id: string;
  readonly readId: string;
  readonly name: string;
  readonly node: string;
}

const tool = ({ id, readId: _, name, node, ...rest }: Tool): PartnerOperation => ({
  ...rest,
  id,
  name,
  path: `/v1/ai/${name}`,
  status: 200,
  read: name,
  nodes: [{ name: node }],
});

const tools: readonly Tool[] = [
  {
    id: "upscaleImage",
    readId: "getUpscaleTask",
    name: "image-upscaler",
    title: "Enlarge an image and add detail to it",
    node: "PartnerAUpscalerNode",
    images: [image("/image")],
    price: byFactor(factorPrices),
    schema: {
      ...Type.Object({
        image: picture("The image to enlarge"),
        scale_factor: words(["2x", "4x", "8x", "16x"], "How often each side."),
        optimized_for: words(
          [
            "standard",
            "soft_portraits",
            "hard_portraits",
            "art_n_illustration",
            "videogame_assets",
            "nature_n_landscapes",
            "films_n_photography",
            "3d_renders",
            "science_fiction_n_horror",
          ],
          "What the image shows.",
        ),
        prompt: text("What the image shows, in words: guides what is added."),
        creativity: slider("How freely detail is added."),
        hdr: slider("Definition and detail."),
        resemblance: slider("How close the result stays to the original."),
        fractality: slider("How strongly the prompt counts, and how fine the detail is."),
        engine: words(
          ["automatic", "magnific_illusio", "magnific_sharpy", "magnific_sparkle"],
          "Which of the partner's engines works.",
        ),
        webhook_url: webhookUrl,
      }),
    },
  },
  {
    id: "upscaleImagePrecisely",
    readId: "getPreciseUpscaleTask",
    name: "image-upscaler-precision-v2",
    title: "Enlarge an image and keep close to it",
    node: "PartnerAUpscalerPrecisionNode",
    images: [image("/image")],
    price: byFactor({ ...factorPrices, ...Object.fromEntries(numberPrices) }),
    schema: {
      ...Type.Object({
        image: picture("The image to enlarge"),
        scale_factor: Type.Optional(
          Type.Integer({ minimum: 2, maximum: 16, default: 2, description: "How often each side." }),
        ),
        flavor: words(["sublime", "photo", "photo_denoiser"], "The manner."),
        sharpen: percent(7, "Sharpness of edges."),
        smart_grain: percent(7, "Grain that keeps surfaces from looking too smooth."),
        ultra_detail: percent(30, "Fine detail and texture."),
        webhook_url: webhookUrl,
      }),
    },
  },
  {
    id: "transferImageStyle",
    readId: "getStyleTransferTask",
    name: "image-style-transfer",
    title: "Give an image the style of another",
    node: "PartnerAStyleTransferNode",
    images: [image("/image"), image("/reference_image")],
    price: { usd: "0.10" },
    schema: {
      ...Type.Object({
        image: picture("The image that gets the style"),
        reference_image: picture("The image that has it"),
        prompt: text("Guides the result."),
        style_strength: percent(100, "How much of the style."),
        structure_strength: percent(50, "How much of the original's structure stays."),
        is_portrait: flag(false, "Faces are treated as such."),
        portrait_style: words(["standard", "pop", "super_pop"], "The look of a portrait."),
        portrait_beautifier: words(["none", "beautify_face", "beautify_face_max"], "How much a face is smoothed."),
        flavor: words(
          ["faithful", "gen_z", "psychedelia", "detaily", "clear", "donotstyle", "donotstyle_sharp"],
          "The manner.",
        ),
        engine: words(
          [
            "balanced",
            "definio",
            "illusio",
            "3d_cartoon",
            "colorful_anime",
            "caricature",
            "real",
            "super_real",
            "softy",
          ],
          "Which of the partner's engines works.",
        ),
        fixed_generation: flag(false, "Equal settings give an equal result."),
        webhook_url: webhookUrl,
      }),
    },
  },
];

export const furtherToolsOfA: Offer = {
  operations: tools.map(tool),
  reads: tools.map(({ readId, name }) => ({ id: readId, name, path: `/v1/ai/${name}/{task_id}` })),
};

const { width: _, height: __, num_frames: ___, fps: ____, ...howComputed } = InferenceParams.properties;

export const furtherToolsOfB: Offer = {
  operations: [
    {
      id: "createVideoToVideoPrompt",
      name: "video-to-video",
      title: "Make a video of a video",
      path: "/prompts/video-to-video",
      status: 201,
      read: "prompts",
      // A film is the partner's whole work whatever its length: the application cuts it to five seconds.
      price: { usd: "1.50" },
      nodes: [{ name: "PartnerBVideoToVideoNode" }],
      images: [{ pointer: "/video_url", base64: false, schemes: anyWeb, own: "data_url" }],
      schema: {
        ...Type.Object({
          prompt_text: Type.String({ minLength: 1, maxLength: 5_000, description: "What the video shows." }),
          video_url: Type.String({
            minLength: 1,
            description: "The video that leads: an http or https URL of an MP4.",
          }),
          control_type: Type.String({
            enum: ["motion_control", "pose_control"],
            description: "What of the video leads.",
          }),
          inference_params: Type.Optional(
            Type.Object(
              {
                ...howComputed,
                control_params: Type.Optional(
                  Type.Object({ motion_intensity: percent(100, "How much of the video's motion is kept.") }),
                ),
              },
              { description: "How the video is computed. Size, speed and frames are the given video's." },
            ),
          ),
          webhook_url: webhookUrl,
        }),
      },
    },
  ],
  reads: [],
};

// What a read repeats of the request beside the contract's members.
export const furtherConditioning: Extract<PartnerDefinition["view"], { from: "object" }>["members"] = {
  video_url: { from: "request", pointer: "/video_url" },
  control_type: { from: "request", pointer: "/control_type" },
};
