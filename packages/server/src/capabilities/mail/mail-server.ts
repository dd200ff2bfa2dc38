// The operator's mail server, as ATELIER_SMTP_URL names it. It is the operator's own setting and nothing that a caller sent, so it
// is not subject to the egress guard: a mail server usually is in the private network.
import { isIP } from "node:net";
import { attempt } from "../../foundation/retry.ts";
import type { Secret } from "../../foundation/settings.ts";
import { readSender, type Sender } from "./mail-address.ts";

export interface MailServer {
  readonly host: string;
  readonly port: number;
  // TLS from the first byte.
  readonly isSecure: boolean;
  // On this machine: there is nothing to encrypt, and certificates rarely fit.
  readonly isHere: boolean;
  readonly user: string | null;
  readonly password: string | null;
}

export interface MailSettings {
  readonly smtpUrl: Secret | null;
  readonly mailFrom: string | null;
}

// Everything that is wrong, in sentences. Never contains the password.
export function mailProblems({ smtpUrl, mailFrom }: MailSettings): string[] {
  if (smtpUrl === null) return [];
  const problems: string[] = [];
  if (readServer(smtpUrl) === null)
    problems.push(
      "ATELIER_SMTP_URL must be smtp://user:password@host:port, or smtps:// for TLS from the first byte, without a path or a query. Write special characters of the password in percent-encoding.",
    );
  if (mailFrom === null)
    problems.push(
      "ATELIER_SMTP_URL is set, but ATELIER_MAIL_FROM is not. Set it to the address that mails come from, such as alerts@studio.example.",
    );
  else if (readSender(mailFrom) === null)
    problems.push(
      "ATELIER_MAIL_FROM must be an address, such as alerts@studio.example or Atelier <alerts@studio.example>.",
    );
  return problems;
}

// Null: nothing is sent.
export function readMailSettings(settings: MailSettings): { server: MailServer; from: Sender } | null {
  const server = settings.smtpUrl && readServer(settings.smtpUrl);
  const from = settings.mailFrom === null ? null : readSender(settings.mailFrom);
  return server && from && { server, from };
}

function readServer(secret: Secret): MailServer | null {
  const url = URL.parse(secret.reveal());
  if (url === null || (url.protocol !== "smtp:" && url.protocol !== "smtps:")) return null;
  if (url.hostname === "" || url.pathname.length > 1 || url.search !== "" || url.hash !== "") return null;
  const isSecure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (user === null || password === null || (user === "" && password !== "")) return null;
  return {
    host,
    port: url.port === "" ? (isSecure ? 465 : 587) : Number(url.port),
    isSecure,
    isHere: host === "localhost" || (isIP(host) === 4 ? host.startsWith("127.") : host === "::1"),
    user: user === "" ? null : user,
    password: user === "" ? null : password,
  };
}

const decoded = (text: string): string | null => attempt(() => decodeURIComponent(text), null);
