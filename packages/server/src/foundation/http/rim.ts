// The edge of a listener, where a process gives it one: other spellings of the same requests and answers. A request is
// respelled after the guard has admitted it as it came and before its route is looked for, an answer's headers as they are
// written; areas see neither. Without a rim nothing of this runs.
import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from "node:http";

export interface Rim {
  // Changes target and headers in place.
  arrive(request: IncomingMessage): void;
  // Names and values in turns; changed in place.
  depart(headers: OutgoingHttpHeader[]): void;
}

type GivenHeaders = OutgoingHttpHeaders | readonly OutgoingHttpHeader[];

// The answers of a listener with this rim. Each of ours is begun with one call of writeHead, event streams included.
export function responsesOf(rim: Rim): typeof ServerResponse<IncomingMessage> {
  return class RespelledResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, first?: string | GivenHeaders, second?: GivenHeaders): this {
      const list = listed((typeof first === "string" ? second : first) ?? []);
      rim.depart(list);
      return super.writeHead(status, list);
    }
  };
}

function listed(given: GivenHeaders): OutgoingHttpHeader[] {
  if (isList(given)) return [...given];
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
}

function isList(given: GivenHeaders): given is readonly OutgoingHttpHeader[] {
  return Array.isArray(given);
}
