import type { User } from '@kubernetes/client-node';
import { ClusterConnectionError } from './cluster-connection.js';
import type { AppliedCredentials, KubeconfigEntries } from './kubeconfig-entries.js';

/** How a user of a kubeconfig proves who they are; what is absent is not proved that way. */
export interface Credentials {
  readonly certPem: string | undefined;
  readonly keyPem: string | undefined;
  readonly token: string | undefined;
}

const LONGEST_REASON = 300;

/**
 * Credentials of the current user; an exec plugin runs when it has not, or when what it gave has expired.
 * @throws ClusterConnectionError naming the entry and the remedy.
 */
export async function credentialsOf(config: KubeconfigEntries, where: string): Promise<Credentials> {
  const user = config.getCurrentUser();
  refuseOldWays(user, where);
  const options: AppliedCredentials = {};
  await config.applyCredentials(options).catch((cause: Error) => {
    const message = `${where}: ${troubleOf(user)}: ${firstLineOf(cause.message)}`;
    throw new ClusterConnectionError(`${message}${hintOf(user)}`, { cause });
  });
  const token = options.headers?.Authorization?.replace(/^Bearer /, '').trim();
  const credentials = {
    certPem: textOf(options.cert),
    keyPem: textOf(options.key),
    token: token === '' ? undefined : token,
  };
  if (user?.exec && credentials.token === undefined && credentials.certPem === undefined) {
    const message = `${where}: the exec plugin ${commandOf(user)} gave neither a token nor a client certificate`;
    throw new ClusterConnectionError(`${message}${hintOf(user)}`);
  }
  return credentials;
}

function refuseOldWays(user: User | null, where: string): void {
  if (user?.username) {
    throw new ClusterConnectionError(
      `${where}: user name and password are no longer accepted by API servers; use a token`,
    );
  }
  if (user?.authProvider) {
    const { name = '' } = user.authProvider as { readonly name?: string };
    throw new ClusterConnectionError(
      `${where}: auth-provider ${name} is no longer supported by Kubernetes clients; use its exec plugin (gke-gcloud-auth-plugin, kubelogin), a token or a client certificate`,
    );
  }
}

function troubleOf(user: User | null): string {
  return user?.exec ? `the exec plugin ${commandOf(user)} failed` : "credentials can't be had";
}

function commandOf(user: User): string {
  const { command } = (user.exec ?? {}) as { readonly command?: unknown };
  return typeof command === 'string' ? command : 'without a command';
}

/** What the kubeconfig's author says to whoever lacks the plugin. */
function hintOf(user: User | null): string {
  const { installHint } = (user?.exec ?? {}) as { readonly installHint?: unknown };
  return typeof installHint === 'string' && installHint !== '' ? ` (${installHint.trim()})` : '';
}

function firstLineOf(message: string): string {
  return message.trim().split('\n', 1)[0]?.slice(0, LONGEST_REASON) ?? '';
}

function textOf(pem: unknown): string | undefined {
  if (Buffer.isBuffer(pem)) return pem.toString('utf8');
  return typeof pem === 'string' && pem !== '' ? pem : undefined;
}
