// Settings of the mail server that alerts leave through (decision 0046).
import { secretSetting, textSetting } from "./foundation/settings.ts";

export const mailSettings = {
  smtpUrl: secretSetting({
    env: "ATELIER_SMTP_URL",
    default: null,
    prefix: "smtp",
    lengthMin: 8,
    about:
      "The mail server for alerts: smtp://user:password@host:port, with STARTTLS unless it is on this machine, or smtps:// for TLS from the first byte. Default: none, and no mail is sent.",
  }),
  mailFrom: textSetting({
    env: "ATELIER_MAIL_FROM",
    default: null,
    about:
      "Whom mails come from: alerts@studio.example, or Atelier <alerts@studio.example>. Required with ATELIER_SMTP_URL.",
  }),
} as const;
