import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { certificateAuthority, certificateFrom, type KeyPair, signingKey } from './certificates.js';

/** Files and secrets of one control plane. */
export interface Credentials {
  readonly ca: KeyPair;
  readonly caPem: string;
  /** Token of a member of system:masters. */
  readonly adminToken: string;
  /** Token of the user system:kube-scheduler. */
  readonly kubeSchedulerToken: string;
  /** Path of a file by its name. */
  readonly file: (name: string) => string;
}

/** Writes everything a kube-apiserver needs into `folder`. */
export async function writeCredentials(folder: string): Promise<Credentials> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = (name: string): string => join(folder, name);
  const [ca, proxyCa] = await Promise.all([
    certificateAuthority('catamaran-e2e-ca'),
    // Apart from the first: whoever has a certificate of this one may name any user.
    certificateAuthority('catamaran-e2e-front-proxy-ca'),
  ]);
  const [server, proxy] = await Promise.all([
    certificateFrom(ca, { commonName: 'kube-apiserver' }),
    certificateFrom(proxyCa, { commonName: 'system:auth-proxy' }),
  ]);
  const signing = signingKey();
  const tokens = Array.from({ length: 2 }, () => randomBytes(24).toString('hex'));
  const [adminToken = '', kubeSchedulerToken = ''] = tokens;
  const texts: Readonly<Record<string, string>> = {
    'ca.crt': ca.certPem,
    'front-proxy-ca.crt': proxyCa.certPem,
    'server.crt': server.certPem,
    'server.key': server.keyPem,
    'front-proxy.crt': proxy.certPem,
    'front-proxy.key': proxy.keyPem,
    'service-account.pub': signing.publicPem,
    'service-account.key': signing.privatePem,
    'tokens.csv': [
      `${adminToken},e2e-admin,e2e-admin,"system:masters"`,
      `${kubeSchedulerToken},system:kube-scheduler,system:kube-scheduler`,
      '',
    ].join('\n'),
    'audit-policy.yaml': AUDIT_POLICY,
  };
  await Promise.all(
    Object.entries(texts).map(([name, text]) => writeFile(file(name), text, { mode: 0o600 })),
  );
  return { ca, caPem: ca.certPem, adminToken, kubeSchedulerToken, file };
}

/** One line for each request that was answered, without bodies; for a watch another when it begins. */
const AUDIT_POLICY = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: Metadata
`;
