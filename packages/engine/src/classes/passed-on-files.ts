// Files that the engine passes on without looking inside: vector pictures and 3D models, as a partner's model made them.
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext, NodeRunner, OutputFile } from "../execution/node-runner.ts";
import { embeddedTexts } from "../files/embed-graph.ts";
import { outputNames, plainName } from "../files/file-name.ts";
import { inputConfig } from "../graph/describe-classes.ts";
import { int, output, text } from "../graph/describe-inputs.ts";
import type { FileValue } from "../pictures/picture.ts";
import { filenamePrefix, sink } from "./image-sinks.ts";

const models = ["GLB", "GLTF", "FBX", "OBJ", "STL", "USDZ"].map((format) => `FILE_3D_${format}`);
const modelTypes = [...models, "FILE_3D"];
const savedTypes = [
  "MESH",
  ...["GLB", "GLTF", "OBJ", "FBX", "STL", "USDZ", "PLY", "SPLAT", "SPZ", "KSPLAT", "SPLAT_ANY", "POINT_CLOUD_ANY"].map(
    (format) => `FILE_3D_${format}`,
  ),
  "FILE_3D",
];

const contentTypes: Readonly<Record<string, string>> = {
  svg: "image/svg+xml",
  glb: "model/gltf-binary",
  gltf: "model/gltf+json",
  obj: "model/obj",
  stl: "model/stl",
  usdz: "model/vnd.usdz+zip",
};

async function save(
  { format, contents }: FileValue,
  names: (extension: string, index: number) => Pick<OutputFile, "name" | "subfolder" | "folder">,
  context: NodeContext,
): Promise<void> {
  for (const [index, bytes] of contents.entries()) {
    await context.save({
      ...names(format, index),
      kind: format === "svg" ? "image" : "file",
      contentType: contentTypes[format] ?? "application/octet-stream",
      bytes,
    });
  }
}

function asked(value: FileValue, isFine: (format: string) => boolean, what: string): FileValue {
  if (isFine(value.format)) return value;
  throw new NodeError(`Expected ${what}, and a file of type ${value.format} came.`);
}

const isSvg = (format: string) => format === "svg";
const isModel = (format: string) => format !== "svg";

// The graph goes into the picture as metadata, after its opening tag.
function withGraph(svg: Uint8Array, texts: ReadonlyMap<string, string>): Uint8Array {
  if (texts.size === 0) return svg;
  const members = Array.from(texts, ([name, json]) => `${JSON.stringify(name)}: ${json}`);
  // A section of characters ends at the first “]]>”.
  const json = `{${members.join(", ")}}`.replaceAll("]]>", "]]]]><![CDATA[>");
  const source = Buffer.from(svg).toString("utf8");
  const opening = /<svg[^>]*[^/]>|<svg>/u;
  return Buffer.from(source.replace(opening, (tag) => `${tag}\n<metadata><![CDATA[\n${json}\n]]></metadata>\n`));
}

export const saveSvgNode: NodeRunner = {
  description: {
    name: "SaveSVGNode",
    displayName: "Save SVG",
    category: "image",
    description: "Saves vector pictures as SVG files with the graph embedded.",
    inputs: [{ name: "svg", type: "*", types: ["SVG"] }, filenamePrefix("svg/Atelier")],
    ...sink,
    outputs: [output("SVG", "svg")],
  },
  async run(inputs, context) {
    const value = asked(inputs.passedOn("svg"), isSvg, "an SVG");
    const texts = embeddedTexts(context);
    const contents = value.contents.map((each) => withGraph(each, texts));
    await save({ ...value, contents }, outputNames(inputs.text("filename_prefix"), context), context);
    return [value];
  },
};

export const saveGlb: NodeRunner = {
  description: {
    name: "SaveGLB",
    displayName: "Save 3D Model",
    category: "3d",
    description: "Saves a 3D model's file as it came.",
    inputs: [{ name: "mesh", type: "*", types: savedTypes }, text("filename_prefix", "3d/Atelier")],
    ...sink,
  },
  async run(inputs, context) {
    const value = asked(inputs.passedOn("mesh"), isModel, "a 3D model");
    await save(value, outputNames(inputs.text("filename_prefix"), context), context);
    return [];
  },
};

const side = (name: string) => int(name, 1024, 1, 4096, { step: 1 });
const viewport = { viewport_state: ["LOAD_3D", {}] } as const;
const looks = {
  model_3d_info: ["LOAD3D_MODEL_INFO", { advanced: true }],
  camera_info: ["LOAD3D_CAMERA", { advanced: true }],
} as const;

// Passes the view on unchanged: there is no viewer here that could change it.
export const save3dAdvanced: NodeRunner = {
  description: {
    name: "Save3DAdvanced",
    displayName: "Save 3D (Advanced)",
    category: "3d",
    description: "Saves a 3D model's file as it came.",
    inputs: [
      { name: "model_3d", type: "*", types: modelTypes },
      text("filename_prefix", "3d/Atelier"),
      { name: "viewport_state", type: "*", optional: true },
      { name: "model_3d_info", type: "*", optional: true },
      { name: "camera_info", type: "*", optional: true },
      side("width"),
      side("height"),
    ],
    ...sink,
    outputs: [
      output("FILE_3D", "model_3d"),
      output("LOAD3D_MODEL_INFO", "model_3d_info"),
      output("LOAD3D_CAMERA", "camera_info"),
      output("INT", "width"),
      output("INT", "height"),
    ],
    isExperimental: true,
    shown: {
      required: {
        model_3d: [modelTypes.join(","), {}],
        filename_prefix: inputConfig(text("filename_prefix", "3d/Atelier")),
        ...viewport,
        width: inputConfig(side("width")),
        height: inputConfig(side("height")),
      },
      optional: looks,
    },
  },
  async run(inputs, context) {
    const value = asked(inputs.passedOn("model_3d"), isModel, "a 3D model");
    const names = outputNames(inputs.text("filename_prefix"), context);
    await save(value, (extension, index) => plainName(names(extension, index)), context);
    const handed = (name: string) => ({ kind: "data", json: inputs.raw(name) ?? null }) as const;
    return [value, handed("model_3d_info"), handed("camera_info"), inputs.int("width"), inputs.int("height")];
  },
};

export const preview3d: NodeRunner = {
  description: {
    name: "Preview3D",
    displayName: "Preview 3D & Animation",
    category: "3d",
    description: "Shows a 3D model's file without keeping it as a result. A path instead of a file is refused.",
    inputs: [
      { name: "model_file", type: "*", types: ["STRING", ...modelTypes] },
      { name: "camera_info", type: "*", optional: true },
      { name: "bg_image", type: "IMAGE", optional: true },
    ],
    ...sink,
    isExperimental: true,
    shown: {
      required: {
        model_file: [["STRING", ...modelTypes].join(","), { default: "", widgetType: "STRING", multiline: false }],
      },
      optional: { camera_info: looks.camera_info, bg_image: ["IMAGE", { advanced: true }] },
    },
  },
  async run(inputs, context) {
    const value = asked(inputs.passedOn("model_file"), isModel, "a 3D model");
    await save(value, outputNames("preview3d", context, {}, "temp"), context);
    return [];
  },
};
