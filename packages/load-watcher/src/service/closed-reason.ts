/** Codes that can stand in a failure's text; whatever else it says may be somebody else's. */
const CODE =
  /\bHTTP \d{3}\b|\bno answer within \d+(?:\.\d+)? s\b|\bE(?:CONN[A-Z]+|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|TIMEDOUT|PIPE|PROTO|NOENT|ACCES)\b|\b(?:ERR|UND_ERR|CERT|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)_[A-Z0-9_]{3,40}\b/;

/**
 * Why a source gave nothing, for a page that anyone may read: its name, and the status or code of the failure.
 *
 * @param failure whole, with what others said.
 */
export function closedReason(source: string, failure: string): string {
  const [code] = CODE.exec(failure) ?? [];
  const what = code === undefined ? 'it gave no figures' : code.replace(/^HTTP/, 'it answered HTTP');
  return `${source}: ${what}; why is told at /debug/nodes and in the log`;
}
