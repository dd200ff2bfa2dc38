// Chooses the precompressed form of a body for a request (RFC 9110, 12.5.3). Among equally preferred codings the smallest wins.
// Never 406: if nothing we have is acceptable, plain bytes are still the better answer.
import { BoundedMap } from "@atelier/engine/bounded-map";
export type ContentCoding = "identity" | "gzip" | "br";

const smallestFirst: readonly ContentCoding[] = ["br", "gzip", "identity"];

export function chooseCoding(acceptEncoding: string): ContentCoding {
  const wanted = new Map<string, number>();
  for (const entry of acceptEncoding.split(",")) {
    const [name = "", ...parameters] = entry.split(";");
    const coding = name.trim().toLowerCase();
    if (coding !== "") wanted.set(coding === "x-gzip" ? "gzip" : coding, weightOf(parameters));
  }
  let best: ContentCoding = "identity";
  let bestWeight = 0;
  for (const coding of smallestFirst) {
    const weight = wanted.get(coding) ?? wanted.get("*") ?? (coding === "identity" ? leastAccepted : 0);
    if (weight > bestWeight) {
      best = coding;
      bestWeight = weight;
    }
  }
  return best;
}

// Plain bytes are acceptable unless refused, but anything requested by name comes first.
const leastAccepted = 0.0001;

function weightOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const [name = "", value = ""] = parameter.split("=");
    if (name.trim().toLowerCase() !== "q") continue;
    const weight = value.trim();
    // An unreadable weight counts as 0.
    return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
  }
  return 1;
}

// Browsers send few different headers, so we cache the choice, within a bound.
export function rememberedCoding(entriesMax = 200): (acceptEncoding: string | undefined) => ContentCoding {
  const known = new BoundedMap<string, ContentCoding>(entriesMax);
  return (acceptEncoding) => {
    if (acceptEncoding === undefined || acceptEncoding === "") return "identity";
    const before = known.get(acceptEncoding);
    if (before !== undefined) return before;
    const coding = chooseCoding(acceptEncoding);
    if (acceptEncoding.length <= 200) known.set(acceptEncoding, coding);
    return coding;
  };
}
