// Overload limits: how much work the server accepts at a time. Part of the table in config.ts.
import { integerSetting } from "./foundation/settings.ts";

export const overloadSettings = {
  connectionsMax: integerSetting({
    env: "ATELIER_CONNECTIONS_MAX",
    default: 20_000,
    min: 1,
    about: "Open connections over all listeners of a process; fewer if `ulimit -n` leaves no room for them.",
  }),
  connectionsPerAddressMax: integerSetting({
    env: "ATELIER_CONNECTIONS_PER_ADDRESS_MAX",
    default: 512,
    min: 1,
    about: "Open connections from one address. Loopback is not counted.",
  }),
  bufferedBytesMax: integerSetting({
    env: "ATELIER_BUFFERED_BYTES_MAX",
    default: 512 * 1024 * 1024,
    min: 1024 * 1024,
    about: "Bytes of request bodies that one process holds in memory at once; beyond that callers get 503.",
  }),
  activeRequestsMax: integerSetting({
    env: "ATELIER_ACTIVE_REQUESTS_MAX",
    default: 64,
    min: 2,
    max: 100_000,
    about:
      "Requests that one process works on at once, at most half of them for one workspace. Requests that only wait (for a provider, a body or a stream) do not count.",
  }),
  queueAgeMsMax: integerSetting({
    env: "ATELIER_QUEUE_AGE_MS_MAX",
    default: 100,
    min: 1,
    max: 60_000,
    about:
      "How many milliseconds a request may wait for its turn under lasting overload; then it gets 503 with Retry-After. In a short burst it may wait ten times as long.",
  }),
  refusalsPerSecondMax: integerSetting({
    env: "ATELIER_REFUSALS_PER_SECOND_MAX",
    default: 1_000,
    min: 10,
    max: 1_000_000,
    about: "How many rejections one process sends per second; more wait in line, fairly between callers.",
  }),
  anonymousRequestsPerMinute: integerSetting({
    env: "ATELIER_ANONYMOUS_REQUESTS_PER_MINUTE",
    default: 12_000,
    min: 1,
    max: 1_000_000_000,
    about:
      "Requests per minute that one address (IPv6: one /64) may send to public routes: badges, registry reads and documents. Beyond that it gets 429.",
  }),
} as const;
