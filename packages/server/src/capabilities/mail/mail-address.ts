// Which addresses we write to, and who we write as. Strict on purpose: what passes has no character that could end a header or an
// SMTP command, and is ASCII, so every mail server takes it.
import { mailAddressPattern } from "@atelier/contract";

const plain = new RegExp(mailAddressPattern);
const addressMax = 254;

export function isMailAddress(text: string): boolean {
  return text.length <= addressMax && plain.test(text);
}

export interface Sender {
  readonly name: string;
  readonly address: string;
}

// `alerts@studio.example`, or `Atelier <alerts@studio.example>`. Null if it is neither.
export function readSender(text: string): Sender | null {
  const named = /^([^<>\p{Cc}]{0,100})<([^<>]+)>$/u.exec(text.trim());
  const [name, address] = named ? [named[1]?.trim() ?? "", named[2]?.trim() ?? ""] : ["", text.trim()];
  return isMailAddress(address) ? { name: name.replace(/^"(.*)"$/, "$1"), address } : null;
}
