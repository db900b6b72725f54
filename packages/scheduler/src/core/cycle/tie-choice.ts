/**
 * 32-bit FNV-1a of the pod's uid, the seed mixed in, finished so that all bits are even: near uniform for any kind of
 * uid, the same on every machine.
 */
function tieHash(uid: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let index = 0; index < uid.length; index += 1) {
    hash = Math.imul(hash ^ uid.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Which of `count` equally good nodes, counted in the order of their names, the pod takes. */
export function tieIndex(uid: string, seed: number, count: number): number {
  return tieHash(uid, seed) % count;
}
