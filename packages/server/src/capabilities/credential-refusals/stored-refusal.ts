// A credential of this server that was rejected, as we keep it.
export interface StoredRefusal {
  readonly holder: string;
  readonly setting: string;
  readonly status: number;
  readonly words: string | null;
  readonly times: number;
  readonly lastAt: Date;
}
