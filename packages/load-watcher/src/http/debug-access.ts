import type { IncomingMessage } from 'node:http';
import { isFromThisMachine, readTextFile } from '@catamaran/platform';
import { sameSecret, shownToken } from './bearer-token.js';

/**
 * Who may read `/debug/*` and `/configz`: a client on this machine, or one that shows the token of the file, which is
 * read again for each request.
 */
export async function mayDebug(request: IncomingMessage, tokenFile: string | undefined): Promise<boolean> {
  if (isFromThisMachine(request)) return true;
  const shown = shownToken(request);
  if (shown === undefined || tokenFile === undefined || tokenFile === '') return false;
  const token = await readTextFile(tokenFile).catch(() => '');
  return token.trim() !== '' && sameSecret(shown, token.trim());
}
