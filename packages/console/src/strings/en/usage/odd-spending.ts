export const oddSpending = {
  title: "Odd spending",
  lead: "An alert when one hour costs more than the same hour of any of the past weeks, and at least three times their average. It goes to webhook endpoints and by email, like those of budgets.",
  watched: "Watch for it",
  atLeast: "At least this many credits in the hour",
  atLeastWrong: "Enter an amount such as 200 or 2.5.",
  ownersOnly: "Only owners of the workspace can change this.",
  save: "Save",
  on: "Odd spending is reported.",
  off: "Odd spending is not reported.",
  notSaved: "Could not be saved",
  none: "No odd hour so far. The first four weeks of usage are not judged.",
  list: "Odd hours",
  line: (spent: string, average: string, highest: string, weeks: number) =>
    `${spent} credits; usually ${average}, at most ${highest} in the past ${weeks} weeks`,
} as const;
