// API keys in the form that the public frontend requires: `comfyui-` and 72 characters in total. It is another spelling of the
// same key, so existing keys keep working and nothing else needs to know: the key's own characters, then filler. A key that an
// operator chose only has its prefix changed.
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

// Whether it can be a key of this server, in our spelling or as we show it. A key of the public service has the same prefix,
// but is not ours.
export function isOurKey(text: string): boolean {
  if (text.startsWith(ourPrefix)) return text.length > ourPrefix.length;
  return text.startsWith(theirPrefix) && issued.test(ourKey(text).slice(ourPrefix.length));
}

// Whether it is certainly one of our keys in their spelling: a key of another service is passed on unchanged.
export function isRespelledKey(text: string): boolean {
  return ourKey(text).length + filler.length === text.length && text.endsWith(filler) && text.startsWith(theirPrefix);
}
