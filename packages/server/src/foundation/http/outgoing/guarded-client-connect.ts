// Connects to exactly the address that was checked. The name is not resolved again, and the peer is compared before the first
// byte, so a DNS answer that changes between check and connect has no effect. SNI, the certificate check and Host still use the
// name.
import { connect } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import { buildConnector } from "undici";
import { isSameAddress } from "./egress-guard.ts";

export class PeerMismatch extends Error {}

// Holds only the trusted authorities, no session and no key, so everyone can share it. Creating one per connection would cost a
// fifth of a handshake.
let trusted: SecureContext | undefined;

export function pinnedConnector(address: string, port: number, connectMs: number): buildConnector.connector {
  trusted ??= createSecureContext();
  const secure = buildConnector({
    timeout: connectMs,
    allowH2: false,
    maxCachedSessions: 0,
    secureContext: trusted,
  });
  return (options, callback) => {
    const socket = connect({ host: address, port, autoSelectFamily: false, noDelay: true });
    const fail = (error: Error) => {
      clearTimeout(timer);
      socket.destroy();
      callback(error, null);
    };
    const timer = setTimeout(() => fail(new Error("the connection took too long")), connectMs);
    socket.once("error", fail);
    socket.once("connect", () => {
      clearTimeout(timer);
      socket.off("error", fail);
      if (!isSameAddress(socket.remoteAddress ?? "", address))
        return fail(new PeerMismatch("the connection reached another address"));
      if (options.protocol === "https:") secure({ ...options, httpSocket: socket }, callback);
      else callback(null, socket);
    });
  };
}
