import { access } from 'node:fs/promises';
import {
  type AccessReviewApi,
  CertificateFiles,
  type Clock,
  type ClusterConnection,
  DelegatedAccess,
  HttpAccessReview,
  type Logger,
  loadClusterConnection,
  OperatorError,
  startHttpServer,
} from '@catamaran/platform';
import type { RequestHandler } from 'express';
import { requestAccess } from '../http/access/request-access.js';
import { createSchedulerApp, type SchedulerAppDeps } from '../http/scheduler-app.js';
import { selfSignedCertificate } from '../http/self-signed-certificate.js';
import type { ProcessConfig } from './read-process-config.js';

export interface SecurePortDeps extends SchedulerAppDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** The scheduler's own; reviews go there unless a flag names another. */
  readonly connection: ClusterConnection;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Closable {
  close(): Promise<void>;
}

/**
 * HTTPS with reviewed access.
 * @throws OperatorError for files that are no good, ListenError.
 */
export async function openSecurePort(settings: ProcessConfig, deps: SecurePortDeps): Promise<Closable> {
  const { values, config } = settings;
  const parts: Closable[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(parts.map((part) => part.close()));
  };
  try {
    const certificates = await certificateFiles(settings, deps);
    parts.push(certificates);
    const { handler, ...reviews } = await reviewedAccess(settings, deps);
    parts.push(reviews);
    const minVersion = values.tlsMinVersion === 'VersionTLS13' ? 'TLSv1.3' : 'TLSv1.2';
    const server = await startHttpServer(
      {
        host: values.bindAddress,
        port: values.securePort,
        tls: { ...(await certificates.first()), minVersion },
        listener: createSchedulerApp({ config }, { ...deps, access: handler }),
        name: 'scheduler',
      },
      deps,
    );
    parts.push(server);
    certificates.follow((identity) => server.renew(identity));
    return { close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function certificateFiles({ values }: ProcessConfig, deps: SecurePortDeps): Promise<CertificateFiles> {
  const { tlsCertFile, tlsPrivateKeyFile, clientCaFile } = values;
  const pair =
    tlsCertFile === ''
      ? await selfSignedCertificate(deps.clock.nowMs())
      : { certPath: tlsCertFile, keyPath: tlsPrivateKeyFile };
  return new CertificateFiles({ pair, clientCaPath: clientCaFile || undefined }, deps);
}

async function reviewedAccess(
  { values, allowLocalRequests }: ProcessConfig,
  deps: SecurePortDeps,
): Promise<Closable & { readonly handler: RequestHandler }> {
  const reviewer = async (flag: string, path: string): Promise<AccessReviewApi> => {
    const connection = path === '' ? deps.connection : await connectionOf(flag, path, deps);
    return new HttpAccessReview({ connection }, deps);
  };
  const authentication = await reviewer('--authentication-kubeconfig', values.authenticationKubeconfig);
  const authorization = await reviewer('--authorization-kubeconfig', values.authorizationKubeconfig);
  const delegated = new DelegatedAccess(
    {
      tokenTtlMs: values.authenticationTokenWebhookCacheTtl,
      authorizedTtlMs: values.authorizationWebhookCacheAuthorizedTtl,
      unauthorizedTtlMs: values.authorizationWebhookCacheUnauthorizedTtl,
    },
    { ...deps, authentication, authorization },
  );
  return {
    handler: requestAccess(
      { alwaysAllowPaths: values.authorizationAlwaysAllowPaths, allowLocalRequests },
      { delegated },
    ),
    close: async () => {
      delegated.close();
      await Promise.all([authentication.close(), authorization.close()]);
    },
  };
}

/** @throws OperatorError that begins with the flag. */
async function connectionOf(flag: string, path: string, { env }: SecurePortDeps): Promise<ClusterConnection> {
  try {
    await access(path);
    return await loadClusterConnection({ kubeconfigPath: path, env });
  } catch (error) {
    throw new OperatorError(`${flag}: ${path} can't be used: ${(error as Error).message}`);
  }
}
