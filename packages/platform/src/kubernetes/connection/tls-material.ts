import { createPrivateKey, X509Certificate } from 'node:crypto';
import { ClusterConnectionError, type TlsMaterial } from './cluster-connection.js';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*(-----END CERTIFICATE-----)?/g;

/** Why no connection can start with this, such as a file that is half written; undefined when one can. */
export function tlsProblem(material: TlsMaterial): string | undefined {
  const { caPem, clientCertPem, clientKeyPem } = material;
  return (
    (caPem === undefined ? undefined : certificateProblem('the certificate authority', caPem)) ??
    (clientCertPem === undefined ? undefined : certificateProblem('the client certificate', clientCertPem)) ??
    pairProblem(clientCertPem, clientKeyPem)
  );
}

/** @throws ClusterConnectionError when no connection could start with it. */
export function requireSoundTls(material: TlsMaterial, where: string): void {
  const problem = tlsProblem(material);
  if (problem !== undefined)
    throw new ClusterConnectionError(`${where}: ${problem}; check the files it names`);
}

export function isSameTls(a: TlsMaterial, b: TlsMaterial): boolean {
  return a.caPem === b.caPem && a.clientCertPem === b.clientCertPem && a.clientKeyPem === b.clientKeyPem;
}

function certificateProblem(what: string, pem: string): string | undefined {
  const found = pem.match(CERTIFICATE) ?? [];
  if (found.length === 0) return `${what} holds no PEM certificate`;
  try {
    for (const one of found) new X509Certificate(one);
    return undefined;
  } catch (error) {
    return `${what} can't be read as PEM (${(error as Error).message})`;
  }
}

function pairProblem(certPem: string | undefined, keyPem: string | undefined): string | undefined {
  if (certPem === undefined && keyPem === undefined) return undefined;
  if (keyPem === undefined) return 'there is a client certificate without a key';
  if (certPem === undefined) return 'there is a client key without a certificate';
  try {
    const fits = new X509Certificate(certPem).checkPrivateKey(createPrivateKey(keyPem));
    return fits ? undefined : 'the client key is not that of the client certificate';
  } catch (error) {
    return `the client key can't be read as PEM (${(error as Error).message})`;
  }
}
