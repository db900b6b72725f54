import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { ok, problem, type Result } from '@catamaran/model';
import { readTextFile } from '../../config/regular-file.js';

/** A certificate with what it is signed by, and its key. */
export interface KeyPair {
  readonly certPem: string;
  readonly keyPem: string;
}

export interface KeyPairPaths {
  readonly certPath: string;
  readonly keyPath: string;
}

/** The pair in two files, or in one sentence what is wrong with it, naming the file. */
export async function readKeyPair({ certPath, keyPath }: KeyPairPaths): Promise<Result<KeyPair>> {
  const [cert, key] = await Promise.all([readText(certPath), readText(keyPath)]);
  if (!cert.ok) return cert;
  if (!key.ok) return key;
  const pair = { certPem: cert.value, keyPem: key.value };
  const text = pairProblem(pair, { certPath, keyPath });
  return text === undefined ? ok(pair) : problem(text);
}

/** The text of a file. */
export async function readText(path: string): Promise<Result<string>> {
  try {
    return ok(await readTextFile(path));
  } catch (error) {
    return problem(`${path} can't be read: ${(error as Error).message}`);
  }
}

function pairProblem({ certPem, keyPem }: KeyPair, { certPath, keyPath }: KeyPairPaths): string | undefined {
  const certificate = attempt(() => new X509Certificate(certPem));
  if (!certificate.ok) return `${certPath} holds no certificate in PEM: ${certificate.problem}`;
  const key = attempt(() => createPrivateKey(keyPem));
  if (!key.ok) return `${keyPath} holds no private key in PEM: ${key.problem}`;
  if (!certificate.value.checkPrivateKey(key.value)) {
    return `the key in ${keyPath} is not that of the certificate in ${certPath}`;
  }
  const context = attempt(() => createSecureContext({ cert: certPem, key: keyPem }));
  return context.ok ? undefined : `the certificate in ${certPath} can't be served: ${context.problem}`;
}

function attempt<T>(work: () => T): Result<T> {
  try {
    return ok(work());
  } catch (error) {
    return problem((error as Error).message);
  }
}
