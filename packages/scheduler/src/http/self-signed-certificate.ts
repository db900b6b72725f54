import { hostname } from 'node:os';
import selfsigned from 'selfsigned';

export interface Certificate {
  readonly certPem: string;
  readonly keyPem: string;
}

const VALID_MS = 365 * 24 * 3_600_000;

/** Subject alternative names: kinds of RFC 5280. */
const DNS = 2;
const IP = 7;

/** A certificate nobody vouches for, made anew at each start, as kube-scheduler's secure port has it by default. */
export async function selfSignedCertificate(nowMs: number): Promise<Certificate> {
  const { cert, private: key } = await selfsigned.generate(
    [{ name: 'commonName', value: 'catamaran-scheduler' }],
    {
      keyType: 'ec',
      algorithm: 'sha256',
      notBeforeDate: new Date(nowMs - 60_000),
      notAfterDate: new Date(nowMs + VALID_MS),
      extensions: [
        { name: 'basicConstraints', cA: false },
        { name: 'keyUsage', digitalSignature: true },
        { name: 'extKeyUsage', serverAuth: true },
        {
          name: 'subjectAltName',
          altNames: [
            { type: DNS, value: 'localhost' },
            { type: DNS, value: hostname() },
            { type: IP, ip: '127.0.0.1' },
            { type: IP, ip: '::1' },
          ],
        },
      ],
    },
  );
  return { certPem: cert, keyPem: key };
}
