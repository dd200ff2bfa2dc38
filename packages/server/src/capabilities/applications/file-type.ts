// The media type of an output, by file extension. Neither its key nor its node tells: nodes that save videos report them
// as images.
const types: Readonly<Record<string, string>> = {
  png: "image/png",
  apng: "image/apng",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  avif: "image/avif",
  bmp: "image/bmp",
  tif: "image/tiff",
  tiff: "image/tiff",
  svg: "image/svg+xml",
  exr: "image/x-exr",
  hdr: "image/vnd.radiance",
  tga: "image/x-tga",
  psd: "image/vnd.adobe.photoshop",
  jxl: "image/jxl",
  heic: "image/heic",
  mp4: "video/mp4",
  m4v: "video/mp4",
  webm: "video/webm",
  mov: "video/quicktime",
  mkv: "video/x-matroska",
  avi: "video/x-msvideo",
  mpg: "video/mpeg",
  mpeg: "video/mpeg",
  wmv: "video/x-ms-wmv",
  flv: "video/x-flv",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  flac: "audio/flac",
  ogg: "audio/ogg",
  opus: "audio/ogg",
  m4a: "audio/mp4",
  aac: "audio/aac",
  aif: "audio/aiff",
  aiff: "audio/aiff",
  wma: "audio/x-ms-wma",
  txt: "text/plain",
  md: "text/markdown",
  csv: "text/csv",
  srt: "text/plain",
  vtt: "text/vtt",
  json: "application/json",
  glb: "model/gltf-binary",
  gltf: "model/gltf+json",
  obj: "model/obj",
  stl: "model/stl",
  ply: "model/ply",
  usdz: "model/vnd.usdz+zip",
  fbx: "application/octet-stream",
  splat: "application/octet-stream",
  ksplat: "application/octet-stream",
  spz: "application/octet-stream",
  latent: "application/octet-stream",
  safetensors: "application/octet-stream",
  zip: "application/zip",
  pdf: "application/pdf",
};

export function extensionOf(name: string): string | null {
  return /\.([A-Za-z0-9]{1,12})$/.exec(name)?.[1]?.toLowerCase() ?? null;
}

// Null if the extension is unknown.
export function typeByName(name: string): string | null {
  const ending = extensionOf(name);
  return ending !== null && Object.hasOwn(types, ending) ? (types[ending] ?? null) : null;
}
