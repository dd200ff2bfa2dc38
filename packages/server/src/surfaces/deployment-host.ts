// How deployments are addressed: `/deployment/{id}/…` on any of our hosts, or a dedicated host name, `dep-<id>` before the host
// of ATELIER_DEPLOYMENT_URL. A host name becomes the mount path before routing, so both reach the same routes, and only a
// deployment's own routes can be reached under its name.
import type { DeploymentId } from "../capabilities/deployments/index.ts";
import { parseId } from "../foundation/ids.ts";

export const deploymentMountPattern = "/deployment/{deploymentId}";

export function deploymentMount(id: DeploymentId): string {
  return deploymentMountPattern.replace("{deploymentId}", id);
}

const label = "dep-";
const labelLength = label.length + 36;

export interface DeploymentHosts {
  // Null if the host belongs to no deployment. Whether the deployment exists is checked later, behind authentication.
  idIn(host: string): DeploymentId | null;
  // An absolute URL. Null if no host name leads here.
  urlOf(id: DeploymentId): string | null;
}

// Addresses are URLs; the first is the one we publish. Names are compared as a whole, including the port, ignoring case.
// Anything else (an additional label, a trailing dot, another port) is not our host.
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

// An IP address has no names below it.
function hasName(address: string): boolean {
  const { hostname } = new URL(address);
  return !hostname.startsWith("[") && !/^\d+\.\d+\.\d+\.\d+$/.test(hostname);
}
