export { type BackgroundReports, createBackgroundReports } from "./background-reports.ts";
export { type ProcessReport, problemsOf } from "./process-report.ts";
export { backgroundReportsOf, reportBackground } from "./report-background.ts";
