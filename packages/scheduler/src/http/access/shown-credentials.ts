import type { IncomingMessage } from 'node:http';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import type { ReviewedUser, ShownCredentials } from '@catamaran/platform';

/** Bearer token and client certificate of a request; empty when it shows neither. */
export function shownCredentials(request: Pick<IncomingMessage, 'headers' | 'socket'>): ShownCredentials {
  return {
    ...ofAuthorization(request.headers.authorization ?? ''),
    ...ofCertificate(request.socket),
  };
}

function ofAuthorization(text: string): Pick<ShownCredentials, 'bearerToken' | 'badAuthorization'> {
  if (text === '') return {};
  const token = /^bearer +(\S+) *$/i.exec(text)?.[1];
  return token === undefined ? { badAuthorization: true } : { bearerToken: token };
}

function ofCertificate(
  socket: IncomingMessage['socket'],
): Pick<ShownCredentials, 'certificateUser' | 'badCertificate'> {
  if (!(socket instanceof TLSSocket)) return {};
  // Typed as always there; an empty object stands for none.
  const certificate = socket.getPeerCertificate() as Partial<PeerCertificate> | undefined;
  const subject = certificate?.subject;
  if (subject === undefined) return {};
  const user = socket.authorized ? userOf(subject) : undefined;
  return user === undefined ? { badCertificate: true } : { certificateUser: user };
}

/** As Kubernetes reads a client certificate: common name and organisations. */
function userOf({ CN, O }: Partial<PeerCertificate['subject']>): ReviewedUser | undefined {
  const [username] = [CN ?? []].flat();
  return username === undefined || username === '' ? undefined : { username, groups: [O ?? []].flat() };
}
