// Connects to the one address that was checked, and to nothing else: no name is looked up again, and the peer is
// compared before the first byte, so an answer that changes between check and connect changes nothing. The name stays
// what it was in SNI, in the certificate check and in Host.
import { connect } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import { buildConnector } from "undici";
import { isSameAddress } from "./egress-guard.ts";

export class PeerMismatch extends Error {}

// The authorities we trust and nothing else: no session and no key, so it can be the same for everybody. Making one for
// each connection would cost a fifth of a handshake.
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
