// The one v2 contract, on a deployment under its mount path.
import { v2Contract } from "./v2-contract.behaviour.ts";

v2Contract("deployment");
