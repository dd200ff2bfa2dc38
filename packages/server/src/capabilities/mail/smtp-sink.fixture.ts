// A real mail server on loopback that keeps what it takes, and refuses what a test tells it to refuse. Contains no test itself.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface SinkMessage {
  readonly to: string;
  readonly raw: string;
  readonly messageId: string;
  readonly subject: string;
}

export interface SmtpSink {
  readonly port: number;
  readonly messages: SinkMessage[];
  // Every recipient that was tried, also refused ones.
  readonly tried: string[];
  // Throws to refuse the recipient.
  judge: (to: string) => void;
  // Runs when a message has arrived, before it is acknowledged.
  arrived: (message: SinkMessage) => Promise<void>;
  close(): Promise<void>;
}

export function refusal(code: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode: code });
}

export interface SinkOptions {
  readonly login?: { readonly user: string; readonly password: string };
  readonly isSecure?: boolean;
  readonly port?: number;
}

export async function smtpSink({ login, isSecure = false, port = 0 }: SinkOptions = {}): Promise<SmtpSink> {
  const [messages, tried]: [SinkMessage[], string[]] = [[], []];
  const sink: Omit<SmtpSink, "port" | "close"> = { messages, tried, judge: () => undefined, arrived: async () => {} };
  const server = new SMTPServer({
    secure: isSecure,
    authOptional: login === undefined,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    disabledCommands: login === undefined ? ["STARTTLS", "AUTH"] : ["STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    onAuth(auth, _session, done) {
      const isRight = auth.username === login?.user && auth.password === login?.password;
      done(isRight ? null : refusal(535, "5.7.8 Bad credentials"), { user: "user" });
    },
    onRcptTo({ address }, _session, done) {
      tried.push(address);
      try {
        sink.judge(address);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const raw = Buffer.concat(parts).toString("utf8");
        const message = {
          to: session.envelope.rcptTo[0]?.address ?? "",
          raw,
          messageId: /^Message-ID: (.+)$/im.exec(raw)?.[1]?.trim() ?? "",
          subject: /^Subject: (.+)$/im.exec(raw)?.[1]?.trim() ?? "",
        };
        messages.push(message);
        void sink.arrived(message).then(() => done(null, "2.0.0 Ok: queued"));
      });
    },
  });
  server.on("error", () => undefined);
  const listening = server.listen(port, "127.0.0.1");
  await once(listening, "listening");
  return Object.assign(sink, {
    port: (listening.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}
