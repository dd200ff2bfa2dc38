// In days. Null: as long as the server keeps them.
export interface KeepDays {
  readonly outputs: number | null;
  readonly uploads: number | null;
  readonly history: number | null;
}
