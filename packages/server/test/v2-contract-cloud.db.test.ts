// The one v2 contract, on the managed surface.
import { v2Contract } from "./v2-contract.behaviour.ts";

v2Contract("cloud");
