// GET /view with `preview` or `channel`: the picture re-encoded, or only its colours or its alpha. null for the file as it is.
import type { Reply } from "./reply.ts";

const qualityUsual = 90;

// The application sends names in UTF-8; Node refuses such a header next to a length, so we replace other characters by `_`.
export const shownName = (name: string): string => `filename="${name.replaceAll(/[^ -~]|["\\]/gu, "_")}"`;

export async function viewPicture(bytes: Uint8Array, query: URLSearchParams, filename: string): Promise<Reply | null> {
  const preview = query.get("preview");
  const channel = query.get("channel");
  if (preview === null && channel !== "rgb" && channel !== "a") return null;
  const { default: sharp } = await import("sharp");
  const picture = sharp(bytes);
  const disposition = { "Content-Disposition": shownName(filename) };
  try {
    if (preview !== null) {
      const [format = "", quality = ""] = preview.split(";");
      const wanted = { quality: /^\d{1,2}$|^100$/.test(quality) ? Math.max(1, Number(quality)) : qualityUsual };
      const isJpeg = format === "jpeg" || channel === "rgb";
      const body = await (isJpeg ? picture.flatten().jpeg(wanted) : picture.webp(wanted)).toBuffer();
      return { status: 200, headers: { ...disposition, "Content-Type": isJpeg ? "image/jpeg" : "image/webp" }, body };
    }
    const opaque = channel === "rgb" ? picture.removeAlpha() : picture.ensureAlpha().extractChannel("alpha");
    return {
      status: 200,
      headers: { ...disposition, "Content-Type": "image/png" },
      body: await opaque.png().toBuffer(),
    };
  } catch {
    // Not a picture.
    return null;
  }
}
