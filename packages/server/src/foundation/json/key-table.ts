// Which keys a text has, by their hash, in memory that does not grow with the length of the keys. Gives up where many hashes fall
// together, because keys can be chosen that way.
const collisionsMax = 64;

export class KeyTable {
  readonly #isSame: (one: number, other: number) => boolean;
  #count = 0;
  #hashes = new Int32Array(1024);
  // One more than the key; 0 is free.
  #keys = new Int32Array(1024);

  constructor(isSame: (one: number, other: number) => boolean) {
    this.#isSame = isSame;
  }

  // False if it is there already, or if the table gives up.
  add(hash: number, key: number): boolean {
    if (++this.#count * 3 > this.#keys.length && !this.#grow()) return false;
    return this.#put(hash, key);
  }

  #put(hash: number, key: number): boolean {
    const mask = this.#keys.length - 1;
    let slot = mixed(hash) & mask;
    for (let tries = 0; tries < collisionsMax; tries++) {
      const other = this.#keys[slot] ?? 0;
      if (other === 0) {
        this.#hashes[slot] = hash;
        this.#keys[slot] = key + 1;
        return true;
      }
      if (this.#hashes[slot] === hash && this.#isSame(other - 1, key)) return false;
      slot = (slot + 1) & mask;
    }
    return false;
  }

  #grow(): boolean {
    const [hashes, keys] = [this.#hashes, this.#keys];
    this.#hashes = new Int32Array(keys.length * 4);
    this.#keys = new Int32Array(keys.length * 4);
    return keys.every((key, slot) => key === 0 || this.#put(hashes[slot] ?? 0, key - 1));
  }
}

function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return once ^ (once >>> 13);
}
