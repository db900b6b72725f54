import type { Result } from '@catamaran/model';
import { bearerTokenProblem } from '@catamaran/platform';
import { parseBaseUrl } from '../providers/base-url.js';
import type { HostedSpec } from '../providers/hosted/create-hosted-provider.js';

export type HostedName = HostedSpec['name'];

const DEFAULT_ADDRESS: Readonly<Record<HostedName, string>> = {
  SignalFx: 'https://api.signalfx.com',
  Datadog: 'https://api.datadoghq.com',
};
const PREFIX = { SignalFx: 'signalfx', Datadog: 'datadog' } as const;
/** A site of Datadog as people write it, with or without the host of its web pages. */
const DATADOG_SITE = /^(?:app\.)?((?:[a-z0-9]+\.)?(?:datadoghq\.(?:com|eu)|ddog-gov\.com))$/i;

/**
 * The base URL of a service: by default that of its first site, https where no scheme is given (the Go service takes
 * Datadog's host alone), and Datadog's API where only the site is named.
 */
export function parseHostedAddress(name: HostedName, text: string): Result<URL> {
  const given = text.trim() || DEFAULT_ADDRESS[name];
  const site = name === 'Datadog' ? siteOf(given) : undefined;
  if (site !== undefined) return parseBaseUrl(`https://api.${site}`);
  return parseBaseUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`, 443);
}

function siteOf(text: string): string | undefined {
  const site = DATADOG_SITE.exec(text.replace(/^https:\/\//i, '').replace(/\/+$/, ''))?.[1];
  return site?.startsWith('api.') === true ? undefined : site;
}

export interface HostedTexts {
  readonly appKey: string;
  readonly appKeyFile: string;
  readonly hostNameSuffix: string;
  readonly clusterName: string;
}

/** Checks what a service needs; all problems at once, each beginning with its flag. */
export function readHostedSpec(
  base: Pick<HostedSpec, 'name' | 'baseUrl' | 'connection'>,
  texts: HostedTexts,
  problems: string[],
): HostedSpec {
  const { name, connection } = base;
  const { appKey, appKeyFile, hostNameSuffix } = texts;
  const clusterName = texts.clusterName === '*' ? '' : texts.clusterName;
  if ((connection.token ?? '') === '' && (connection.tokenFile ?? '') === '') {
    const what = name === 'SignalFx' ? 'an access token' : 'an API key';
    problems.push(
      `--metrics-provider-token (METRICS_PROVIDER_TOKEN): ${name} wants ${what}; give it, or its file with --metrics-provider-token-file`,
    );
  }
  if (name === 'Datadog') problems.push(...appKeyProblems(appKey, appKeyFile));
  problems.push(...filterProblems(name, hostNameSuffix, clusterName));
  return {
    ...base,
    appKey: appKey || undefined,
    appKeyFile: appKeyFile || undefined,
    hostNameSuffix,
    clusterName,
  };
}

function appKeyProblems(appKey: string, appKeyFile: string): readonly string[] {
  const flag = '--metrics-provider-app-key (METRICS_PROVIDER_APP_KEY)';
  if (appKey === '' && appKeyFile === '') {
    return [
      `${flag}: Datadog wants an application key; give it, or its file with --metrics-provider-app-key-file`,
    ];
  }
  const problem = appKey === '' ? undefined : bearerTokenProblem(appKey.trim());
  return problem === undefined ? [] : [`${flag}: ${problem}`];
}

/** Both become part of a query; what would end it there is refused. */
function filterProblems(name: HostedName, suffix: string, cluster: string): readonly string[] {
  const problems: string[] = [];
  if (!/^[\w.-]*$/.test(suffix)) {
    problems.push(
      `--${PREFIX[name]}-host-name-suffix: ${JSON.stringify(suffix)} is no end of a host name, such as .dc1.example.com`,
    );
  }
  const allowed = name === 'SignalFx' ? /^[^\p{Cc}]*$/u : /^[\w./:*-]*$/;
  if (!allowed.test(cluster)) {
    problems.push(
      `--${PREFIX[name]}-cluster-name: ${JSON.stringify(cluster)} is no name of a cluster, such as blue`,
    );
  }
  return problems;
}
