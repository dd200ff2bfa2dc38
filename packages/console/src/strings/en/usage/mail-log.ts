export const mailLog = {
  title: "Alerts by email",
  none: "No alert was sent yet. Alerts of budgets and of odd spending appear here.",
  columns: { when: "When", to: "To", subject: "Subject", outcome: "Outcome" },
  status: { waiting: "Waiting", sent: "Accepted", failed: "Not delivered" },
  statusTitles: {
    waiting: "The mail server has not taken it yet; it is tried again.",
    sent: "The mail server took it. Whether it was read, nobody can tell.",
    failed: "The mail server refused it for good, or took nothing for three days.",
  },
  tries: (attempts: number) => (attempts === 1 ? "after 1 attempt" : `after ${attempts} attempts`),
  next: "next attempt {when}",
  more: (count: number) => `Show all ${count}`,
} as const;
