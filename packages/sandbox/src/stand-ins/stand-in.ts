// A partner's stand-in as data: where its models are submitted and polled, and the answers that its documentation shows. It has
// the partner's shapes, and our own pictures, films and sounds.

export interface StandInAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // Sent as JSON; absent if the answer is a file.
  readonly body?: unknown;
}

export interface StandInMedia {
  // JSON pointer; `*` is every item of a list, and an empty one the answer itself.
  readonly pointer: string;
  readonly kind: "image" | "video" | "audio" | "text" | "vector" | "model";
}

export interface StandInModel {
  readonly provider: string;
  readonly model: string;
  // Below `/stand-ins/{provider}`.
  readonly submitPath: string;
  // Distinguishes models with the same path.
  readonly member: { readonly name: string; readonly value: string } | null;
  // With `{handle}`; null if the answer to the submission is the result.
  readonly pollPath: string | null;
  readonly fetchPath: string | null;
  // What the documented answers call the task.
  readonly handle: string | null;
  // To the submission first, the result last.
  readonly answers: readonly StandInAnswer[];
  readonly media: readonly StandInMedia[];
}

export function submittedModel(
  models: readonly StandInModel[],
  provider: string,
  path: string,
  body: unknown,
): StandInModel | null {
  const here = models.filter((model) => model.provider === provider && model.submitPath === path);
  const named = here.find(({ member }) => member !== null && memberOf(body, member.name) === member.value);
  return named ?? here[0] ?? null;
}

// The handle of a poll or a fetch, and which of the two it is.
export function followedTask(
  models: readonly StandInModel[],
  provider: string,
  target: string,
): { readonly handle: string; readonly isFetch: boolean } | null {
  for (const model of models) {
    if (model.provider !== provider) continue;
    for (const isFetch of [true, false]) {
      const handle = handleIn(isFetch ? model.fetchPath : model.pollPath, target);
      if (handle !== null) return { handle, isFetch };
    }
  }
  return null;
}

function handleIn(template: string | null, target: string): string | null {
  if (template === null) return null;
  const [before = "", after = ""] = template.split("{handle}");
  const isMatch = target.startsWith(before) && target.endsWith(after) && target.length > before.length + after.length;
  if (!isMatch) return null;
  const handle = target.slice(before.length, target.length - after.length);
  return /^[\w.~-]{1,200}$/.test(handle) ? handle : null;
}

function memberOf(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
}

// What a request asks for, as far as a picture can show it.
export interface AskedPicture {
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
}

const usualSide = 768;
const sideMax = 1024;
const promptNames = new Set(["prompt", "promptText", "text", "input"]);

export function askedPictureOf(body: unknown): AskedPicture {
  const found: { prompt: string; width: number | null; height: number | null } = {
    prompt: "",
    width: null,
    height: null,
  };
  const walk = (value: unknown, name: string, depth: number): void => {
    if (depth > 12) return;
    if (typeof value === "string") {
      if (promptNames.has(name) && found.prompt === "") found.prompt = value.slice(0, 2000);
      const [, width, height] = /^(\d{1,4})[x:](\d{1,4})$/.exec(value) ?? [];
      if (width !== undefined && found.width === null) [found.width, found.height] = [Number(width), Number(height)];
    } else if (typeof value === "number") {
      if (name === "width") found.width = value;
      if (name === "height") found.height = value;
    } else if (Array.isArray(value)) for (const each of value) walk(each, name, depth + 1);
    else if (typeof value === "object" && value !== null)
      for (const [inner, each] of Object.entries(value)) walk(each, inner, depth + 1);
  };
  walk(body, "", 0);
  return { prompt: found.prompt || "a quiet harbour", ...fitted(found.width ?? 1, found.height ?? 1) };
}

// The asked proportions, at a size that is drawn quickly.
function fitted(width: number, height: number): { readonly width: number; readonly height: number } {
  const ratio = Math.min(Math.max(width / Math.max(height, 1), 0.25), 4);
  const side = (length: number) => Math.min(sideMax, Math.max(128, Math.round(length / 16) * 16));
  return { width: side(usualSide * Math.sqrt(ratio)), height: side(usualSide / Math.sqrt(ratio)) };
}
