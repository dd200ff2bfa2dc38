// A realistic instance of an entity, and ways to break it: path → value that must be refused (undefined removes it).
export interface Example {
  readonly good: unknown;
  readonly broken: Readonly<Record<string, unknown>>;
}

export const uuid = "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6";
export const otherUuid = "0198c1a2-3b4c-7d5e-8f60-718293a4b5c7";
export const time = "2026-11-15T09:30:00.000Z";
export const laterTime = "2026-12-15T09:30:00.000Z";
export const hash = `blake3:${"0f".repeat(32)}`;
