/** When a JSON web token expires (RFC 7519, `exp`), or undefined where that can't be told. */
export function tokenExpiryMs(token: string): number | undefined {
  const [, claims = '', signature] = token.trim().split('.');
  if (signature === undefined) return undefined;
  try {
    const parsed = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as { exp?: unknown } | null;
    const ms = typeof parsed?.exp === 'number' ? parsed.exp * 1000 : Number.NaN;
    return Number.isNaN(new Date(ms).getTime()) ? undefined : ms;
  } catch {
    return undefined;
  }
}

/** A token given as text is never renewed; within this time someone has to act. */
const NEAR_MS = 7 * 86_400_000;

/** A warning about a token given as text whose end is near or past; tells nothing of the token but that. */
export function expiringTokenNote(token: string, nowMs: number): string | undefined {
  const expiresMs = tokenExpiryMs(token);
  if (expiresMs === undefined || expiresMs - nowMs > NEAR_MS) return undefined;
  const verb = expiresMs <= nowMs ? 'expired' : 'expires';
  return `--metrics-provider-token ${verb} at ${new Date(expiresMs).toISOString()} and is not renewed: give --metrics-provider-token-file, which follows rotation`;
}
