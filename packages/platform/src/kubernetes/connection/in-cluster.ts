import type { Clock } from '../../clock/clock.js';
import { readTextFile } from '../../config/regular-file.js';
import { type ClusterConnection, ClusterConnectionError, type TlsMaterial } from './cluster-connection.js';
import { requireSoundTls } from './tls-material.js';
import { TokenFile } from './token-file.js';

export const SERVICE_ACCOUNT_DIR = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The connection every pod is given.
 * @throws ClusterConnectionError when the service account is not mounted.
 */
export async function inClusterConnection(
  env: Readonly<Record<string, string | undefined>>,
  serviceAccountDir: string,
  clock: Clock,
): Promise<ClusterConnection> {
  const host = env.KUBERNETES_SERVICE_HOST ?? '';
  const port = env.KUBERNETES_SERVICE_PORT_HTTPS ?? env.KUBERNETES_SERVICE_PORT ?? '443';
  const caPath = `${serviceAccountDir}/ca.crt`;
  const readAuthority = async (): Promise<TlsMaterial> => {
    const caPem = await readTextFile(caPath).catch((cause: Error) => {
      throw new ClusterConnectionError(
        `service account: ${caPath} can't be read (${cause.message}); the pod needs automountServiceAccountToken: true`,
        { cause },
      );
    });
    return { caPem };
  };
  const authority = await readAuthority();
  requireSoundTls(authority, `service account in ${serviceAccountDir}`);
  const tokens = new TokenFile(`${serviceAccountDir}/token`, clock);
  await tokens.token();
  return {
    serverUrl: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ...authority,
    currentTls: readAuthority,
    bearerToken: (options) => tokens.token(options),
    skipTlsVerify: false,
    describe: `service account in ${serviceAccountDir}`,
  };
}
