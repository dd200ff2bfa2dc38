// API keys in the form that the public frontend asks for: `comfyui-` and 72 characters in all. It is a spelling of the same
// key, so that one that was made before works on, and nothing else has to know of it: the key's own characters, then
// characters that say nothing. A key that an operator chose has its prefix changed and nothing more.
const ourPrefix = "service-";
const theirPrefix = "comfyui-";
const issued = /^[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/;
const filler = `_${"0".repeat(16)}`;

export function theirKey(key: string): string {
  if (!key.startsWith(ourPrefix)) return key;
  const own = key.slice(ourPrefix.length);
  return `${theirPrefix}${own}${issued.test(own) ? filler : ""}`;
}

export function ourKey(text: string): string {
  if (!text.startsWith(theirPrefix)) return text;
  const own = text.slice(theirPrefix.length);
  const bare = own.endsWith(filler) ? own.slice(0, -filler.length) : own;
  return `${ourPrefix}${issued.test(bare) ? bare : own}`;
}

// Whether it can be a key of this server: ours as it is, or as we show it. A key of the public service has their prefix too,
// and is none of ours.
export function isOurKey(text: string): boolean {
  if (text.startsWith(ourPrefix)) return text.length > ourPrefix.length;
  return text.startsWith(theirPrefix) && issued.test(ourKey(text).slice(ourPrefix.length));
}

// Whether it is one of ours under their spelling, beyond doubt: a key of another service is handed on as it is.
export function isRespelledKey(text: string): boolean {
  return ourKey(text).length + filler.length === text.length && text.endsWith(filler) && text.startsWith(theirPrefix);
}
