// The one v2 contract, on the self-hosted surface with a token.
import { v2Contract } from "./v2-contract.behaviour.ts";

v2Contract("self-hosted");
