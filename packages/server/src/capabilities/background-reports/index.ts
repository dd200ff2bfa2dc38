export { type BackgroundReports, createBackgroundReports } from "./background-reports.ts";
export { lookAtBackground } from "./look-at-background.ts";
export { type ProcessReport, problemsOf } from "./process-report.ts";
export { backgroundReportsOf } from "./report-background.ts";
