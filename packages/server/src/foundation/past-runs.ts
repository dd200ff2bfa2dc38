// How long things took in the past, shown to callers before they pay. The capabilities that keep the figures (calls, jobs) are
// passed to the areas as this interface. Subjects are `model:<provider>/<model>`, and `graph:…` for similar jobs.
export interface ExpectedSeconds {
  readonly median: number;
  readonly p90: number;
  // How many runs the figures are based on; at least 1.
  readonly count: number;
}

export interface PastRuns {
  // Undefined if nothing is known. Synchronous if cached, because an estimate asks for every node. Never throws.
  expectedSeconds(subject: string): ExpectedSeconds | undefined | Promise<ExpectedSeconds | undefined>;
}
