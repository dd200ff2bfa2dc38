export const workflows = {
  title: "Workflows",
  lead: "Open a graph, change its values, see what it costs, and run it.",
  losesLayout:
    "It is saved in API format, because values changed here cannot be written into an editor's file. To keep the layout, save the file unchanged.",
  openAnother: "Open another workflow",
  noDraft: {
    title: "Draft not found",
    text: "Drafts stay in the browser that created them for a month, or until you sign out.",
    action: "Open a workflow",
  },
  // What the page says it opened.
  opened: {
    api: "A graph in API format.",
    editor: "A graph saved by the editor.",
    inFile: "The graph stored in this file.",
    editorInFile: "The editor graph stored in this file.",
    converted: (said: string) => `${said.replace(/\.$/, "")}, converted for this server.`,
    job: "The graph this job ran. The job itself does not change.",
    jobName: (id: string) => `Job ${id} with changes`,
    example: (about: string) => `Example. ${about}`,
  },
  notOpened: {
    title: "No workflow found",
    notConverted: "This workflow could not be converted",
    tooLarge: (file: string) => `${file} is too large. Files of up to 200 MB can be opened.`,
    noGraph: (file: string) =>
      `${file} does not contain a graph. Images, video and audio keep their graph only in the original file: chat apps and editors remove it.`,
    notJson: (file: string, why: string) => `${file} is not valid JSON: ${why}`,
    unreadable: "it cannot be parsed.",
    notGraph: (file: string) =>
      `${file} is valid JSON but not a graph. A graph is either nodes by ID with a class_type (API format) or a list of nodes (as the editor saves it).`,
  },
  drop: {
    title: "Drop a workflow here",
    text: "A .json file in either format, or an image, video or audio file that a workflow saved with its graph.",
    file: "Workflow file",
    choose: "Choose a file",
    busy: "Opening…",
  },
  drafts: {
    title: "Drafts in this browser",
    changes: (count: number) => (count === 1 ? "1 change" : `${count} changes`),
    remove: (name: string) => `Delete draft ${name}`,
  },
  recent: {
    title: "Recent jobs",
    none: "Graphs you run appear here, in every browser.",
  },
  examples: {
    title: "Examples",
    firstPicture: {
      title: "First picture",
      about: "A model paints a lighthouse and nodes frame it. Costs as much as the model.",
    },
    lantern: {
      title: "Lantern",
      about: "Nodes alone paint colours, a soft mask and haze. Free, and done in seconds.",
    },
  },
  paste: {
    label: "Or paste JSON",
    hint: '{"1": {"class_type": "EmptyImage", "inputs": {…}}, …}',
    name: "Pasted graph",
    action: "Open graph",
    nothing: "Paste a graph first",
  },
  run: {
    title: "Run",
    labels: "Labels",
    labelsHint: "A name for the job, or key=value pairs separated by commas. Jobs can be found by label.",
    action: "Run",
    withChanges: "Run with changes",
    many: (count: number) => `Run ${count} jobs`,
    busy: "Submitting…",
    submitted: "Job submitted.",
    fixLabels: "Fix the labels first",
    fixFields: "Fix the marked fields first",
    unavailable: (name: string, more: number) =>
      more === 0 ? `${name} is not available here` : `${name} and ${more} more are not available here`,
    notConverted: "This graph could not be converted",
    labelsRejected: "The server rejected the labels. Nothing ran.",
    graphRejected: "The server rejected the graph. Nothing ran.",
    noCredits: "Not enough credits. Nothing ran.",
    notSubmitted: "The job was not submitted",
  },
  estimate: {
    unknown: (why: string) => `No estimate: ${why}`,
    seconds: (median: string, p90: string) => `About ${median} s; 9 of 10 runs finish within ${p90} s.`,
    runningTime: "Running time",
    part: (name: string, credits: string) => `${name}: ${credits}`,
  },
  batch: {
    action: "Batch",
  },
  kept: {
    keeping: "Saving draft…",
    kept: "Draft saved",
    refused: "Draft not saved",
    hint: "Your changes are saved in this browser. A reload loses nothing.",
    refusedHint: "This browser does not store your changes. Save the workflow before you leave the page.",
  },
  graph: {
    label: "Workflow graph",
    classesUnread: "Some node classes could not be loaded, so their fields are plain text",
  },
  missing: {
    title: (count: number) => (count === 1 ? "1 node class is missing" : `${count} node classes are missing`),
    problems: "This graph cannot run yet",
    check: "Check again",
    weightsTitle: (count: number) => (count === 1 ? "1 model file is missing" : `${count} model files are missing`),
    weights: "Missing model files",
    weightsFor: (classType: string) => `for ${classType}`,
    onNode: {
      missing: "not available here",
      weights: (name: string) => `${name} is not here`,
    },
    text: "Nothing ran. The graph is saved as a draft in this browser.",
    list: "Missing node classes",
    registry: "Search the registry",
    similar: "Similar here: {names}",
    install: "Install these nodes in your application, restart it, then check again.",
    askOperator:
      "These nodes need a worker whose application has them. Ask the operator of this server to connect one, then check again.",
    connect: "To connect an application that has these nodes, {token}, then run this on its machine.",
    token: "create a worker token",
    start: "Start a worker",
  },
} as const;
