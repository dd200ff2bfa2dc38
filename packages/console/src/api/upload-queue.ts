// A queue of uploads. Files are hashed first, so that the server's own are not sent again; two run at a time; each can be paused
// and resumes where it was cut.
import type { Asset } from "@atelier/sdk";
import { type ApiFault, asFault } from "./fault.ts";

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

export interface Sending {
  readonly signal: AbortSignal;
  readonly hash: string;
  readonly resumeFrom: string | undefined;
  readonly onAddress: (address: string) => void;
  readonly onProgress: (bytes: number) => void;
}

export interface UploadDeps {
  readonly hash: (file: File, signal: AbortSignal, onBytes: (bytes: number) => void) => Promise<string>;
  readonly put: (file: File, sending: Sending) => Promise<Asset>;
}

const atOnce = 2;

export class UploadQueue {
  #uploads: readonly Upload[] = [];
  #counted = 0;
  readonly #courses = new Map<number, Course>();
  readonly #watchers = new Set<() => void>();
  readonly #listeners = new Set<(asset: Asset) => void>();
  readonly #deps: UploadDeps;

  constructor(deps: UploadDeps) {
    this.#deps = deps;
  }

  readonly now = (): readonly Upload[] => this.#uploads;

  readonly watch = (notify: () => void): (() => void) => {
    this.#watchers.add(notify);
    return () => this.#watchers.delete(notify);
  };

  readonly onUploaded = (notify: (asset: Asset) => void): (() => void) => {
    this.#listeners.add(notify);
    return () => this.#listeners.delete(notify);
  };

  readonly start = (files: readonly File[]): void => {
    const made = files.map((file) => {
      const id = ++this.#counted;
      this.#courses.set(id, { control: new AbortController() });
      return { id, file, state: "waiting" as const, bytes: 0, asset: null, fault: null };
    });
    this.#set([...this.#uploads, ...made]);
    this.#next();
  };

  readonly pause = (id: number): void => {
    this.#courses.get(id)?.control.abort();
    this.#change(id, { state: "paused" });
    this.#next();
  };

  readonly resume = (id: number): void => {
    const course = this.#courses.get(id);
    if (course === undefined) return;
    course.control = new AbortController();
    this.#change(id, { state: "waiting", fault: null });
    this.#next();
  };

  readonly drop = (id: number): void => {
    this.#courses.get(id)?.control.abort();
    this.#courses.delete(id);
    this.#set(this.#uploads.filter((each) => each.id !== id));
    this.#next();
  };

  readonly dropEnded = (): void => {
    this.#set(this.#uploads.filter(({ state }) => state !== "done" && state !== "here"));
  };

  #set(changed: readonly Upload[]): void {
    this.#uploads = changed;
    for (const notify of this.#watchers) notify();
  }

  #change(id: number, changed: Partial<Upload>): void {
    this.#set(this.#uploads.map((each) => (each.id === id ? { ...each, ...changed } : each)));
  }

  #next(): void {
    const busy = this.#uploads.filter(({ state }) => state === "hashing" || state === "sending").length;
    const waiting = this.#uploads.filter(({ state }) => state === "waiting");
    for (const upload of waiting.slice(0, Math.max(0, atOnce - busy)))
      void this.#run(upload).finally(() => this.#next());
  }

  async #run({ id, file }: Upload): Promise<void> {
    const course = this.#courses.get(id);
    if (course === undefined) return;
    const { signal } = course.control;
    const isOver = () => signal.aborted || !this.#courses.has(id);
    try {
      this.#change(id, { state: "hashing", bytes: 0 });
      course.hash ??= await this.#deps.hash(file, signal, (bytes) => this.#change(id, { bytes }));
      if (isOver()) return;
      this.#change(id, { state: "sending", bytes: 0 });
      const asset = await this.#deps.put(file, {
        signal,
        hash: course.hash,
        resumeFrom: course.address,
        onAddress: (address) => {
          course.address = address;
        },
        onProgress: (bytes) => this.#change(id, { bytes }),
      });
      this.#change(id, { state: asset.created_new === false ? "here" : "done", bytes: file.size, asset });
      for (const notify of this.#listeners) notify(asset);
    } catch (thrown) {
      if (!isOver()) this.#change(id, { state: "failed", fault: asFault(thrown) });
    }
  }
}
