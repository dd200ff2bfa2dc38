// A card of something to start from: a template, a graph of the gallery, or a work.
export const templateCard = {
  needs: (model: string) => `This needs ${model}, which this server does not offer`,
  run: "Run this",
  runs: (title: string) => `Run this: ${title}`,
  open: "Open",
  opens: (title: string) => `Open ${title}`,
  starting: "Starting…",
  submitted: "Submitted",
  notRun: (title: string) => `${title} did not start`,
} as const;
