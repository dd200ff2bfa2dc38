// How long things took before, for those who are about to pay for them. The capabilities that keep the figures (calls,
// jobs) are given to the areas as this; subjects are `model:<provider>/<model>`, and `graph:…` for jobs that are alike.
export interface ExpectedSeconds {
  readonly median: number;
  readonly p90: number;
  // How many runs these are the figures of; at least 1.
  readonly count: number;
}

export interface PastRuns {
  // Undefined: nothing is known. At once where it is remembered: an estimate asks for every node. Never throws.
  expectedSeconds(subject: string): ExpectedSeconds | undefined | Promise<ExpectedSeconds | undefined>;
}
