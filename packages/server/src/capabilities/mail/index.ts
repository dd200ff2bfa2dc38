// E-mail over the operator's SMTP server: an outbox for alerts, the background work that sends, a log, and who opted out.

export { lookAtMail } from "./look-at-mail.ts";
export { createMail, type Mail, type MailNotice } from "./mail.ts";
export { mailMeter, silentMailMeter } from "./mail-metrics.ts";
export { mailProblems, readMailSettings } from "./mail-server.ts";
export { createSendMail } from "./send-mail.ts";
