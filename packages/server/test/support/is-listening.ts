// Whether something accepts connections on a loopback port.
import { connect } from "node:net";

export function isListening(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect({ host: "127.0.0.1", port }, () => {
      socket.destroy();
      answer(true);
    });
    socket.once("error", () => answer(false));
  });
}
