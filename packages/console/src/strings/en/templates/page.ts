// The page of all templates: the operator's and the installed ones.
export const templatePage = {
  title: "Templates",
  lead: "Workflows to start from. Each card says whether it runs on this server and what it costs.",
  filters: {
    search: "Search templates",
    hint: "Search by name, model or task",
    states: "What they need",
    categories: "Category",
    allCategories: "All categories",
    category: (name: string, count: number) => `${name} (${count})`,
  },
  states: {
    runs: "Runs here",
    key: "Needs a key",
    more: "Needs weights or nodes",
  },
  card: {
    runs: "Runs here",
    runsWithFiles: (count: number) => (count === 1 ? "Runs with your file" : `Runs with your ${count} files`),
    key: (providers: string) => `Needs a key for ${providers}`,
    weights: (names: string) => `Needs weights: ${names}`,
    classes: (names: string) => `Needs nodes: ${names}`,
    refused: "Cannot run as it is",
    broken: "Not a workflow",
  },
  and: (names: string, more: number) => `${names} and ${more} more`,
  found: "Found templates",
  count: (count: number) => (count === 1 ? "1 template" : `${count} templates`),
  showMore: (count: number) => `Show ${count} more`,
  gallery: "From the gallery",
  more: {
    title: "More templates",
    text: "An operator adds the public ones with a command on the server's machine:",
  },
  noMatch: "No template matches",
  clear: "Clear the filters",
} as const;
