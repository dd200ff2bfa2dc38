// The rim of a listener, if its process gives it one: other spellings of the same requests and answers. A request is respelled
// after the guard has admitted it unchanged and before its route is looked up; an answer's headers are respelled as they are
// written. Areas see neither. Without a rim none of this runs.
import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from "node:http";

export interface Rim {
  // Rewrites the target and headers in place.
  arrive(request: IncomingMessage): void;
  // Rewrites alternating names and values in place.
  depart(headers: OutgoingHttpHeader[]): void;
}

type GivenHeaders = OutgoingHttpHeaders | readonly OutgoingHttpHeader[];

// The response class for a listener with this rim. All our answers begin with one call of writeHead, event streams included.
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
