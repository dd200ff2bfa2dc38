// How many product lines each module has, and why. `weight.architecture.test.ts` lets a module grow by a tenth. To grow
// more, change its line here, with the reason, in the same commit. `npm run weigh` prints the current table.
export const moduleWeights: Readonly<Record<string, { readonly lines: number; readonly why: string }>> = {
  bench: {
    lines: 7187,
    why: "Streams of models, works, declared classes, finding, and what routes, tokens and budgets add to a call.",
  },
  cli: {
    lines: 10_954,
    why: "Mail, odd hours and limits of keys and models. Works, tokens, environments with their pins, weights, and the administration of a server (caps, limits, deployments, audit).",
  },
  console: {
    lines: 51_349,
    why: "Weights and environments; works, templates, errors and the gallery: the form editor, publishing, their pages, and the page for people with a link; budgets, tokens, webhook endpoints, backups, roles, and fields for colours and models.",
  },
  contract: {
    lines: 13_225,
    why: "Works, environments, weights, routes, tokens and budgets; webhook endpoints, backups and the least role of each operation.",
  },
  deploy: { lines: 38, why: "As at the first weighing." },
  engine: { lines: 20_114, why: "Declared classes, and films that stay files." },
  examples: { lines: 209, why: "Receivers and hooks: webhooks, and a safety hook." },
  sandbox: { lines: 11_458, why: "As at the first weighing." },
  scripts: {
    lines: 7712,
    why: "Releases and the proof that one installs, the Python client's types, synchronous half and wheel; flows of OpenAI-shaped clients.",
  },
  sdk: { lines: 4506, why: "Works, their links and forms, with their wire types." },
  "server/areas/account": {
    lines: 5359,
    why: "Routes of works, their versions, forms, templates, notes on pictures, derived tokens, routes of models, budgets, alerts, roles, personal data, retention, plans and invoices.",
  },
  "server/areas/admin": {
    lines: 2211,
    why: "The test of the mail server. Environments, weights, the routes of the server, the health of providers, pools with their lock and scalers, plans and payments; definitions as text, backups now, settings.",
  },
  "server/areas/application-api": {
    lines: 2814,
    why: "The editor's files, settings, templates, masks and jobs, for each person.",
  },
  "server/areas/console": {
    lines: 426,
    why: "Files kept as Brotli and gzipped when asked for; the Python client's wheel; how a checkout builds its console, from the processes.",
  },
  "server/areas/content": { lines: 145, why: "As at the first weighing." },
  "server/areas/editor": {
    lines: 310,
    why: "The ecosystem's editor: its page for each workspace, and its files.",
  },
  "server/areas/mcp": { lines: 1138, why: "Each work is a tool, listed page by page." },
  "server/areas/model-router": { lines: 744, why: "Works in the catalog; links and tokens that are kept to theirs." },
  "server/areas/node-registry": { lines: 1265, why: "As at the first weighing." },
  "server/areas/openai": { lines: 967, why: "New: the entrance for OpenAI-shaped clients, by mappings." },
  "server/areas/partner-proxy": { lines: 808, why: "As at the first weighing." },
  "server/areas/price-badges": { lines: 1350, why: "As at the first weighing." },
  "server/areas/system": { lines: 1580, why: "The documents are pages of the server: Markdown becomes HTML here." },
  "server/areas/workers": { lines: 862, why: "Locks that workers report and read, scalers, and fills." },
  "server/areas/workflows": { lines: 3920, why: "As at the first weighing." },
  "server/capabilities/application-files": { lines: 544, why: "As at the first weighing." },
  "server/capabilities/application-workers": {
    lines: 542,
    why: "How a worker runs an application's jobs, from the processes.",
  },
  "server/capabilities/applications": { lines: 3650, why: "As at the first weighing." },
  "server/capabilities/assets": {
    lines: 3675,
    why: "What all workspaces store, for operators; reading files in from another server.",
  },
  "server/capabilities/audit": { lines: 273, why: "As at the first weighing." },
  "server/capabilities/background-reports": {
    lines: 175,
    why: "What the background reports, and the looks at it, from the processes.",
  },
  "server/capabilities/backup": {
    lines: 2383,
    why: "Backups on a schedule: depots, verification, retention, history; what an upgrade may do and the way back from it, from the processes.",
  },
  "server/capabilities/badge-proof": { lines: 1528, why: "As at the first weighing." },
  "server/capabilities/blobs": { lines: 3563, why: "As at the first weighing." },
  "server/capabilities/calls": {
    lines: 7662,
    why: "Tags and end users in usage; budgets and their alerts; odd spending; limits of keys and models; answers that move.",
  },
  "server/capabilities/conformance": {
    lines: 2149,
    why: "Stand-ins made of fixtures, and the words of a report; texts checked for an editor, with the line of each finding; models check, from the processes.",
  },
  "server/capabilities/credential-refusals": { lines: 107, why: "As at the first weighing." },
  "server/capabilities/deployments": { lines: 1089, why: "Pinned locks, and scalers that follow the wanted number." },
  "server/capabilities/editor": { lines: 276, why: "The ecosystem's editor: installed from its wheel, and its files." },
  "server/capabilities/editor-files": { lines: 240, why: "What the editor keeps for each person." },
  "server/capabilities/environments": {
    lines: 1119,
    why: "Locks of applications: making, reading, comparing, keeping.",
  },
  "server/capabilities/error-answers": { lines: 225, why: "Reading them in from another server." },
  "server/capabilities/filling": {
    lines: 1918,
    why: "New: making a folder equal to a lock: packs, Python packages, weights from neighbours.",
  },
  "server/capabilities/graph-runs": { lines: 970, why: "As at the first weighing." },
  "server/capabilities/graphs": {
    lines: 1352,
    why: "Declared node classes: what they cost, and their badges.",
  },
  "server/capabilities/identity": {
    lines: 4904,
    why: "Roles and what enforces them, groups that give them, service accounts; erasing a person; derived tokens.",
  },
  "server/capabilities/jobs": { lines: 6304, why: "As at the first weighing." },
  "server/capabilities/limits": { lines: 570, why: "As at the first weighing." },
  "server/capabilities/mail": { lines: 791, why: "New: alerts by e-mail, their outbox and the mail server." },
  "server/capabilities/model-calls": {
    lines: 4483,
    why: "Inputs and answers are shown to the operator's safety hook, whichever process sends or ends a call.",
  },
  "server/capabilities/model-requests": { lines: 1342, why: "As at the first weighing." },
  "server/capabilities/moves": {
    lines: 162,
    why: "New: workspaces that leave for another server, and where they went.",
  },
  "server/capabilities/notices": { lines: 188, why: "What alerts say and where they go, from the processes." },
  "server/capabilities/oidc": { lines: 455, why: "As at the first weighing." },
  "server/capabilities/own-credentials": { lines: 280, why: "As at the first weighing." },
  "server/capabilities/partner-nodes": {
    lines: 647,
    why: "Node classes as files, found without parsing, and the check of them.",
  },
  "server/capabilities/partner-tasks": { lines: 2266, why: "As at the first weighing." },
  "server/capabilities/partners": {
    lines: 767,
    why: "Shipped partners, operators' files and prices of operations came here from the processes.",
  },
  "server/capabilities/playground-runs": {
    lines: 195,
    why: "A person's history of the playground, and how old runs are found for retention.",
  },
  "server/capabilities/pools": { lines: 785, why: "Operators drain workers." },
  "server/capabilities/prices": { lines: 1872, why: "How an estimate comes about." },
  "server/capabilities/providers": {
    lines: 4240,
    why: "Streams: how events become a body, and who reads along.",
  },
  "server/capabilities/registry": {
    lines: 12_529,
    why: "It reads the Python of packs: a small interpreter for their classes, and what the code can do. Functions that use no capability are found without parsing them, which halves the time.",
  },
  "server/capabilities/release-notes": { lines: 266, why: "As at the first weighing." },
  "server/capabilities/remote-work": { lines: 1172, why: "As at the first weighing." },
  "server/capabilities/request-bodies": {
    lines: 664,
    why: "Inputs and answers that a workspace keeps: stripped, sealed, with an end; the rule is read in from another server.",
  },
  "server/capabilities/retention": { lines: 278, why: "New: how long workspaces keep outputs, uploads and history." },
  "server/capabilities/routes": { lines: 523, why: "New: names in the catalog that stand for several models." },
  "server/capabilities/safety": { lines: 469, why: "New: the operator's hook that is asked about model calls." },
  "server/capabilities/saved-workflows": { lines: 1439, why: "Large saves are read in a thread, from their bytes." },
  "server/capabilities/scaling": { lines: 719, why: "Came here from the processes." },
  "server/capabilities/secrets": { lines: 918, why: "As at the first weighing." },
  "server/capabilities/selling": {
    lines: 2009,
    why: "Plans, payment events, credits for payments, and invoices with a PDF of our own.",
  },
  "server/capabilities/templates": { lines: 541, why: "Public templates: installed, listed with what they need." },
  "server/capabilities/tokens": { lines: 646, why: "As at the first weighing." },
  "server/capabilities/webhooks": {
    lines: 2882,
    why: "Grew by endpoints by event type: their rules, secrets, pauses, and what they do to waiting deliveries.",
  },
  "server/capabilities/weights": {
    lines: 742,
    why: "New: model files that operators keep, and workers that fill with them.",
  },
  "server/capabilities/works": {
    lines: 5008,
    why: "New: saved workflows published as models: forms, publishing, calling; then forms saved in documents.",
  },
  "server/capabilities/workspace-data": {
    lines: 1012,
    why: "Exporting and erasing people; signed exports of workspaces, verified and read in at another server.",
  },
  "server/foundation": { lines: 15_250, why: "Wheels: fetching and reading them came here from the templates." },
  "server/processes": {
    lines: 9220,
    why: "Scalers became a capability.",
  },
  "server/surfaces": { lines: 1725, why: "As at the first weighing." },
};
