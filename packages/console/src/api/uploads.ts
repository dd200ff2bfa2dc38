// All uploads of the page. Files are hashed first, so that the server's own are not sent again; two run at a time; each can be
// paused and resumes where it was cut.
import type { Asset } from "@atelier/sdk";
import { atelier } from "./atelier.ts";
import { type ApiFault, asFault } from "./fault.ts";
import { hashFile } from "./hash-file.ts";

export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly state: "waiting" | "hashing" | "sending" | "paused" | "done" | "here" | "failed";
  // Bytes hashed or sent, depending on the state.
  readonly bytes: number;
  readonly asset: Asset | null;
  readonly fault: ApiFault | null;
}

interface Course {
  control: AbortController;
  hash?: string;
  // The upload's address, once it is created.
  address?: string;
}

const atOnce = 2;
// From this size on a file goes up in pieces, and a dropped connection costs only the last one.
const resumableFromBytes = 8 * 1024 * 1024;
let uploads: readonly Upload[] = [];
let counted = 0;
const courses = new Map<number, Course>();
const watchers = new Set<() => void>();
const listeners = new Set<(asset: Asset) => void>();

export const uploadsNow = (): readonly Upload[] => uploads;

export function watchUploads(tell: () => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}

export function onUploaded(tell: (asset: Asset) => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

export function startUploads(files: readonly File[]): void {
  const made = files.map((file) => {
    const id = ++counted;
    courses.set(id, { control: new AbortController() });
    return { id, file, state: "waiting" as const, bytes: 0, asset: null, fault: null };
  });
  set([...uploads, ...made]);
  next();
}

export function pauseUpload(id: number): void {
  courses.get(id)?.control.abort();
  change(id, { state: "paused" });
  next();
}

export function resumeUpload(id: number): void {
  const course = courses.get(id);
  if (course === undefined) return;
  course.control = new AbortController();
  change(id, { state: "waiting", fault: null });
  next();
}

export function dropUpload(id: number): void {
  courses.get(id)?.control.abort();
  courses.delete(id);
  set(uploads.filter((each) => each.id !== id));
  next();
}

export function dropEnded(): void {
  set(uploads.filter(({ state }) => state !== "done" && state !== "here"));
}

function set(changed: readonly Upload[]): void {
  uploads = changed;
  for (const tell of watchers) tell();
}

function change(id: number, changed: Partial<Upload>): void {
  set(uploads.map((each) => (each.id === id ? { ...each, ...changed } : each)));
}

function next(): void {
  const busy = uploads.filter(({ state }) => state === "hashing" || state === "sending").length;
  for (const upload of uploads.filter(({ state }) => state === "waiting").slice(0, Math.max(0, atOnce - busy)))
    void run(upload).finally(next);
}

async function run({ id, file }: Upload): Promise<void> {
  const course = courses.get(id);
  if (course === undefined) return;
  const { signal } = course.control;
  const isOver = () => signal.aborted || !courses.has(id);
  try {
    change(id, { state: "hashing", bytes: 0 });
    course.hash ??= await hashFile(file, signal, (bytes) => change(id, { bytes }));
    if (isOver()) return;
    change(id, { state: "sending", bytes: 0 });
    const asset = await atelier.assets.put(file, {
      signal,
      hash: course.hash,
      resumableFromBytes,
      ...(course.address === undefined ? {} : { resumeFrom: course.address }),
      onAddress: (address) => {
        course.address = address;
      },
      onProgress: (bytes) => change(id, { bytes }),
    });
    change(id, { state: asset.created_new === false ? "here" : "done", bytes: file.size, asset });
    for (const tell of listeners) tell(asset);
  } catch (thrown) {
    if (!isOver()) change(id, { state: "failed", fault: asFault(thrown) });
  }
}
