import { generateKeyPairSync } from 'node:crypto';
import selfsigned from 'selfsigned';

export interface KeyPair {
  readonly certPem: string;
  readonly keyPem: string;
}

export interface Subject {
  readonly commonName: string;
  readonly organization?: string;
  /** A day by default. */
  readonly validMs?: number;
}

/** Subject alternative names: kinds of RFC 5280. */
const DNS = 2;
const IP = 7;
const HOUR_MS = 3_600_000;

export function certificateAuthority(commonName: string): Promise<KeyPair> {
  return issue({ commonName }, undefined, [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, digitalSignature: true, critical: true },
  ]);
}

/** For a server on this machine, or for a client of one. */
export function certificateFrom(ca: KeyPair, subject: Subject): Promise<KeyPair> {
  return issue(subject, ca, [
    { name: 'basicConstraints', cA: false },
    { name: 'keyUsage', digitalSignature: true },
    { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
    {
      name: 'subjectAltName',
      altNames: [
        { type: DNS, value: 'localhost' },
        { type: IP, ip: '127.0.0.1' },
      ],
    },
  ]);
}

/** Signs the tokens of service accounts. */
export function signingKey(): { readonly publicPem: string; readonly privatePem: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

async function issue(
  { commonName, organization, validMs = 24 * HOUR_MS }: Subject,
  ca: KeyPair | undefined,
  extensions: NonNullable<Parameters<typeof selfsigned.generate>[1]>['extensions'] & object,
): Promise<KeyPair> {
  const names = [
    { name: 'commonName', value: commonName },
    ...(organization === undefined ? [] : [{ name: 'organizationName', value: organization }]),
  ];
  const { cert, private: key } = await selfsigned.generate(names, {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - HOUR_MS),
    notAfterDate: new Date(Date.now() + validMs),
    extensions,
    ...(ca === undefined ? {} : { ca: { cert: ca.certPem, key: ca.keyPem } }),
  });
  return { certPem: cert, keyPem: key };
}
