const MASK = '***';
/** Shorter secrets are part of many a word: they are replaced only where they stand alone. */
const MIN_ANYWHERE = 4;
/** Of a text of others, so much is looked at before it is shortened; secrets cut in half could not be found. */
const MAX_EXCERPT_BYTES = 16_384;

/**
 * A text of somebody else's without what we sent: the secrets as they are, in base64, percent-encoded and as JSON
 * escapes them.
 */
export function maskKnown(text: string, secrets: readonly string[]): string {
  const written = [...new Set(secrets.flatMap(spellings))].sort((a, b) => b.length - a.length);
  return written.reduce(replaced, text);
}

/** How a body begins, masked before it is cut. */
export function excerptOf(body: Buffer, length: number, mask: (text: string) => string): string {
  return mask(body.toString('utf8', 0, MAX_EXCERPT_BYTES)).slice(0, length);
}

function spellings(secret: string): readonly string[] {
  if (secret === '') return [];
  const bytes = Buffer.from(secret);
  const encoded = secret.length < MIN_ANYWHERE ? [] : [bytes.toString('base64'), bytes.toString('base64url')];
  return [
    secret,
    ...encoded.map((text) => text.replace(/=+$/, '')),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ];
}

function replaced(text: string, secret: string): string {
  if (secret.length >= MIN_ANYWHERE) return text.replaceAll(secret, MASK);
  const literal = secret.replaceAll(/[^\w]/g, String.raw`\$&`);
  return text.replaceAll(new RegExp(String.raw`(?<!\w)${literal}(?!\w)`, 'g'), MASK);
}
