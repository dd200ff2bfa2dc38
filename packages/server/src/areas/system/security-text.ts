// GET /.well-known/security.txt, as RFC 9116 wants it. A reader must not trust it after `Expires`, so a server that was
// abandoned stops vouching for its contact.
import { operations } from "@atelier/contract";

const validDays = 180;
const dayMs = 86_400_000;

export function securityText(contact: string, baseUrl: string, now: Date): string {
  const expires = new Date(Math.floor(now.getTime() / dayMs + validDays) * dayMs);
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${new URL(operations.getSecurityContact.path, baseUrl).href}`,
  ];
  return `${lines.join("\n")}\n`;
}
