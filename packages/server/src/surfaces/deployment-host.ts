// How deployments are addressed: `/deployment/{id}/…` on any host of ours, or a host name of their own, `dep-<id>` before
// the host of ATELIER_DEPLOYMENT_URL. A host name becomes the mount path before routing, so that both reach the same
// routes, and nothing but a deployment's own routes can be reached under its name.
import type { DeploymentId } from "../capabilities/deployments/index.ts";
import { parseId } from "../foundation/ids.ts";

export const deploymentMountPattern = "/deployment/{deploymentId}";

export function deploymentMount(id: DeploymentId): string {
  return deploymentMountPattern.replace("{deploymentId}", id);
}

const label = "dep-";
const labelLength = label.length + 36;

export interface DeploymentHosts {
  // Null: the host is no deployment's. Whether there is such a deployment is asked later, behind authentication.
  idIn(host: string): DeploymentId | null;
  // An absolute address; null where no host name leads here.
  urlOf(id: DeploymentId): string | null;
}

// Addresses as URLs; the first one is the one that is told. Names are compared as a whole, port included, without regard
// to case: anything else (a further label, a dot at the end, another port) is no host of ours.
export function deploymentHosts(addresses: () => readonly string[]): DeploymentHosts {
  return {
    idIn(host) {
      // Most requests end here.
      if (host.length <= labelLength || host.charCodeAt(labelLength) !== 46) return null;
      const lower = host.toLowerCase();
      const id = lower.startsWith(label) ? parseId<"deployment">(lower.slice(label.length, labelLength)) : null;
      if (id === null) return null;
      const rest = lower.slice(labelLength + 1);
      return addresses().some((address) => hasName(address) && new URL(address).host === rest) ? id : null;
    },
    urlOf(id) {
      const address = addresses().find(hasName);
      if (address === undefined) return null;
      const { protocol, host } = new URL(address);
      return `${protocol}//${label}${id}.${host}`;
    },
  };
}

// An address in figures has no names below it.
function hasName(address: string): boolean {
  const { hostname } = new URL(address);
  return !hostname.startsWith("[") && !/^\d+\.\d+\.\d+\.\d+$/.test(hostname);
}
