// A credential of this server that was rejected, as we keep it.
export interface StoredRefusal {
  // Who refused it: "provider bfl", "partner partner-a".
  readonly holder: string;
  readonly setting: string;
  readonly status: number;
  // What they said, with everything we sent removed.
  readonly words: string | null;
  readonly times: number;
  readonly lastAt: Date;
}
