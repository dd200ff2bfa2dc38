// Every word the console shows, in English: one file per page, listed here so that they can be read in one sitting. A page imports
// its own file through `#strings/…`, which keeps the words of other pages out of what the browser loads for it. Another
// language is a folder beside `en` with the same files (README.md of this package).
//
// A sentence is a string. Where a part is marked up or linked, the string names it in braces and `Rich` (ui/text/rich.tsx) puts
// it there. Where words depend on a value, the entry is a function.

export { api } from "./en/api.ts";
export { app } from "./en/app.ts";
export { badges } from "./en/badges.ts";
export { classes } from "./en/classes.ts";
export { credentials } from "./en/credentials.ts";
export { errors } from "./en/errors.ts";
export { gallery } from "./en/gallery.ts";
export { galleryViewer } from "./en/gallery-viewer.ts";
export { jobs } from "./en/jobs.ts";
export { tokens } from "./en/keys/tokens.ts";
export { keys } from "./en/keys.ts";
export { members } from "./en/members.ts";
export { models } from "./en/models.ts";
export { nodes } from "./en/nodes.ts";
export { operate } from "./en/operate.ts";
export { backups } from "./en/operators/backups.ts";
export { definitions } from "./en/operators/definitions.ts";
export { metrics } from "./en/operators/metrics.ts";
export { settings } from "./en/operators/settings.ts";
export { weights } from "./en/operators/weights.ts";
export { overview } from "./en/overview.ts";
export { palette } from "./en/palette.ts";
export { plans } from "./en/plans.ts";
export { profile } from "./en/profile.ts";
export { providers } from "./en/providers.ts";
export { requests } from "./en/requests.ts";
export { savedWorkflows } from "./en/saved-workflows.ts";
export { shared } from "./en/shared.ts";
export { signIn } from "./en/sign-in.ts";
export { system } from "./en/system.ts";
export { templates } from "./en/templates/gallery.ts";
export { templatePage } from "./en/templates/page.ts";
export { callLimits } from "./en/ui/call-limits.ts";
export { uiChanges } from "./en/ui/changes.ts";
export { uiCharts } from "./en/ui/charts.ts";
export { uiForms } from "./en/ui/forms.ts";
export { help } from "./en/ui/help.ts";
export { openInEditorWords } from "./en/ui/open-in-editor.ts";
export { outcomes } from "./en/ui/outcomes.ts";
export { saveWorkflowWords } from "./en/ui/save-workflow.ts";
export { templateCard } from "./en/ui/template-card.ts";
export { uiViewers } from "./en/ui/viewers.ts";
export { ui } from "./en/ui.ts";
export { budgets } from "./en/usage/budgets.ts";
export { mailLog } from "./en/usage/mail-log.ts";
export { oddSpending } from "./en/usage/odd-spending.ts";
export { usage } from "./en/usage.ts";
export { endpoints as webhookEndpoints } from "./en/webhooks/endpoints.ts";
export { webhooks } from "./en/webhooks.ts";
export { workers } from "./en/workers.ts";
export { workflows } from "./en/workflows.ts";
export { workForm } from "./en/works/form.ts";
export { works } from "./en/works/pages.ts";
export { runWork } from "./en/works/run.ts";
export { workspaces } from "./en/workspaces.ts";
