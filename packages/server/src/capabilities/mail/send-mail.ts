// One attempt to hand one message to the mail server. Everything has an end: connecting, the greeting, silence, and the attempt as
// a whole, so a server that accepts connections and then says nothing, or dribbles, costs a minute at most.
// Without TLS we send neither a password nor a message, except to this machine.
import { isIP, Socket } from "node:net";
import type { NodemailerError } from "nodemailer";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Clock } from "../../foundation/clock.ts";
import type { Sender } from "./mail-address.ts";
import type { MailServer } from "./mail-server.ts";

export interface Message {
  // The same on every attempt, so that receivers can drop a second copy.
  readonly messageId: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly date: Date;
}

// accepted: the server took responsibility. refused: it said no to this message, for good or for now. unavailable: it took no
// message at all, which says nothing about this one.
export type MailOutcome =
  | { readonly kind: "accepted"; readonly answer: string }
  | { readonly kind: "refused"; readonly isFinal: boolean; readonly answer: string }
  | { readonly kind: "unavailable"; readonly answer: string };

export type SendMail = (message: Message) => Promise<MailOutcome>;

export interface SendMailDeps {
  readonly server: MailServer;
  readonly from: Sender;
  readonly clock: Pick<Clock, "after">;
  // Hides secrets in the server's words.
  readonly redact?: (text: string) => string;
  // How long an attempt takes at most. For tests.
  readonly attemptMsMax?: number;
}

const attemptMsMax = 60_000;
const silenceMsMax = 20_000;
const answerMax = 300;

export function createSendMail(deps: SendMailDeps): SendMail {
  const { server, from } = deps;
  return async (message) => {
    const bytes = await composed(from, message);
    const envelope = { from: from.address, to: [message.to], size: bytes.byteLength };
    try {
      const answer = await withConnection(deps, async (connection) => {
        await login(connection, server);
        return new Promise<string>((resolve, reject) => {
          connection.send(envelope, bytes, (error, info) => (error ? reject(error) : resolve(info.response ?? "")));
        });
      });
      return { kind: "accepted", answer: worded(deps, answer) };
    } catch (error) {
      return outcomeOf(error as NodemailerError, (text) => worded(deps, text));
    }
  };
}

// Connects, logs in and leaves. Null if that works, else why not.
export async function connectOnly(deps: SendMailDeps): Promise<string | null> {
  try {
    await withConnection(deps, (connection) => login(connection, deps.server));
    return null;
  } catch (error) {
    const { response, message } = error as NodemailerError;
    return worded(deps, response ?? message);
  }
}

async function withConnection<T>(deps: SendMailDeps, talk: (connection: SMTPConnection) => Promise<T>): Promise<T> {
  const { server, from } = deps;
  const mostMs = deps.attemptMsMax ?? attemptMsMax;
  const quietMs = Math.min(silenceMsMax, mostMs);
  // Loaded when it is first needed: most servers send no mail.
  const { default: Connection } = await import("nodemailer/lib/smtp-connection");
  const socket = new Socket();
  const connection = new Connection({
    ...{ host: server.host, port: server.port, secure: server.isSecure, socket },
    ...(isIP(server.host) === 0 ? { servername: server.host } : {}),
    ...{ requireTLS: !server.isSecure && !server.isHere, ignoreTLS: !server.isSecure && server.isHere },
    ...{ connectionTimeout: quietMs, greetingTimeout: quietMs, socketTimeout: quietMs, dnsTimeout: quietMs },
    ...{ name: from.address.split("@")[1] ?? "localhost", maxResponseSize: 64 * 1024, logger: false },
  });
  let stopClock: () => void = () => undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      stopClock = deps.clock.after(mostMs, () => reject(new Error("It took too long.")));
      connection.on("error", reject);
      connection.connect((error) => (error ? reject(error) : talk(connection).then(resolve, reject)));
    });
  } finally {
    stopClock();
    connection.close();
    socket.destroy();
  }
}

async function login(connection: SMTPConnection, { user, password }: MailServer): Promise<void> {
  if (user === null) return;
  await new Promise<void>((resolve, reject) => {
    connection.login({ credentials: { user, pass: password ?? "" } }, (error) => (error ? reject(error) : resolve()));
  });
}

function worded({ redact = (text) => text }: SendMailDeps, text: string): string {
  return redact(text.replace(/[\p{Cc}\s]+/gu, " ").trim()).slice(0, answerMax);
}

async function composed(from: Sender, message: Message): Promise<Buffer> {
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const node = new MailComposer({
    from,
    to: { name: "", address: message.to },
    subject: message.subject,
    text: message.text,
    html: message.html,
    messageId: `<${message.messageId}>`,
    date: message.date,
    // So that no out-of-office reply comes back.
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  }).compile();
  return node.build();
}

// A no to this recipient or this text is about the message; anything else, also a rejected sender or password, is about the server.
function outcomeOf(error: NodemailerError, words: (text: string) => string): MailOutcome {
  const answer = words(error.response ?? error.message);
  const isAboutMessage = error.command === "RCPT TO" || error.command === "DATA";
  const code = error.responseCode ?? 0;
  if (!isAboutMessage || code < 400 || code === 421) return { kind: "unavailable", answer };
  return { kind: "refused", isFinal: code >= 500, answer };
}
