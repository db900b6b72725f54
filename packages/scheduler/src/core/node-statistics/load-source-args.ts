import type { ArgsReader } from '../framework/args-reader.js';
import type { ArgumentTexts } from '../framework/argument-texts.js';

const METRIC_PROVIDER_TYPES = ['KubernetesMetricsServer', 'Prometheus', 'SignalFx'] as const;

export interface MetricProviderArgs {
  readonly type: (typeof METRIC_PROVIDER_TYPES)[number];
  readonly address?: string;
  readonly token?: string;
  readonly insecureSkipVerify?: boolean;
}

/** Where figures of load come from. */
export interface LoadSourceArgs {
  /** A load-watcher to ask. Absent: the watcher runs in this process and reads `metricProvider`. */
  readonly watcherAddress?: string;
  /** Bearer token for it, read again when it may have changed. */
  readonly watcherTokenFile?: string;
  /** PEM file of the authority that signed its certificate. */
  readonly watcherCaFile?: string;
  readonly metricProvider?: MetricProviderArgs;
}

/** What these arguments mean. */
export const LOAD_SOURCE_ARGUMENTS: ArgumentTexts = {
  watcherAddress: 'load-watcher to ask; else the watcher runs inside and reads `metricProvider`',
  watcherTokenFile:
    'file with the bearer token that the load-watcher wants, read again when it may have changed',
  watcherCaFile: "PEM file of the authority that signed the load-watcher's certificate",
  metricProvider: '`type` (KubernetesMetricsServer, Prometheus, …), `address`, `token`, `insecureSkipVerify`',
};

type Fields = Readonly<Record<string, unknown>>;

/** Checks and completes these arguments. */
export function readLoadSource(reader: ArgsReader, fields: Fields): LoadSourceArgs {
  const watcherAddress = readAddress(reader, fields.watcherAddress, 'watcherAddress');
  const metricProvider = readProvider(reader, fields.metricProvider, watcherAddress !== undefined);
  return {
    ...(watcherAddress === undefined ? {} : { watcherAddress }),
    ...readWatcherFiles(reader, fields, watcherAddress),
    ...(metricProvider === undefined ? {} : { metricProvider }),
  };
}

function readWatcherFiles(
  reader: ArgsReader,
  fields: Fields,
  address: string | undefined,
): Pick<LoadSourceArgs, 'watcherTokenFile' | 'watcherCaFile'> {
  const path = (name: 'watcherTokenFile' | 'watcherCaFile'): string | undefined => {
    const text = reader.string(fields[name], name);
    if (text === '') reader.problem(name, 'it is empty: give the path of a file, or leave it out');
    else if (text !== undefined && address === undefined && !reader.isReported('watcherAddress')) {
      reader.problem(name, 'is given without watcherAddress: give the address of that load-watcher too');
    }
    return text;
  };
  const [watcherTokenFile, watcherCaFile] = [path('watcherTokenFile'), path('watcherCaFile')];
  const isPlain = address !== undefined && /^http:/i.test(address);
  if (isPlain && watcherCaFile !== undefined) {
    reader.problem('watcherCaFile', 'is given for an address of http://: write https:// in watcherAddress');
  } else if (isPlain && watcherTokenFile !== undefined && !LOOPBACK.test(address)) {
    reader.warn(
      'watcherTokenFile',
      'its token crosses the network unencrypted: use https:// in watcherAddress',
    );
  }
  return {
    ...(watcherTokenFile === undefined ? {} : { watcherTokenFile }),
    ...(watcherCaFile === undefined ? {} : { watcherCaFile }),
  };
}

const LOOPBACK = /^http:\/\/(127\.[\d.]+|\[::1\]|localhost)([:/]|$)/i;

/** An HTTP URL that whoever reads from it can use: without query and fragment, and sound in its user part. */
export function readAddress(reader: ArgsReader, value: unknown, path: string): string | undefined {
  const text = reader.string(value, path);
  if (text === undefined) return undefined;
  const problem = addressProblem(text);
  if (problem !== undefined) reader.problem(path, problem);
  return text;
}

/** The runtime's own parser, pure; core is compiled without the types of any runtime. */
declare const URL: {
  new (text: string): { readonly [part in 'username' | 'password' | 'search' | 'hash']: string };
  canParse(text: string): boolean;
};

const URL_SHAPE = /^https?:\/\/[^\s/?#]+([/?#]\S*)?$/i;

function addressProblem(text: string): string | undefined {
  if (text === '') return 'it is empty: give a URL such as http://127.0.0.1:2020, or leave it out';
  // All before the last @ may be a password, however odd; a query may hold a key.
  const masked = text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[\s\S]*@/i, '$1***@');
  const shown = JSON.stringify(masked.replace(/([?#])[\s\S]+$/, '$1***'));
  if (/\$(?:\{|\(|\w)/.test(text)) return `${shown} is not a URL: an unexpanded variable?`;
  if (text.includes('{{')) return `${shown} is not a URL: an unrendered template?`;
  if (!URL_SHAPE.test(text))
    return `${shown} is not a URL: it must begin with http:// or https:// and a host`;
  if (/^https?:\/\/[^/?#\\]*[/?#\\][\s\S]*@/i.test(text)) {
    return `${shown} has an @ after the host: write special characters of user and password percent-encoded`;
  }
  if (!URL.canParse(text)) return `${shown} is not a URL: look at its host and port`;
  const { search, hash, username, password } = new URL(text);
  if (search !== '' || hash !== '') {
    return `${shown} has a query or fragment: give only scheme, host, port and path prefix`;
  }
  return isDecodable(username + password)
    ? undefined
    : `${shown}: write special characters of user and password percent-encoded, as in p%40ss for p@ss`;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function readProvider(
  reader: ArgsReader,
  value: unknown,
  overruled: boolean,
): MetricProviderArgs | undefined {
  if (value === undefined || value === null) {
    return overruled ? undefined : { type: 'KubernetesMetricsServer' };
  }
  const path = 'metricProvider';
  const fields = reader.map(value, path, ['type', 'address', 'token', 'insecureSkipVerify']);
  if (overruled) {
    reader.warn(path, 'has no effect beside watcherAddress: remove one of the two');
    return undefined;
  }
  const type = reader.choice(fields.type || undefined, `${path}.type`, METRIC_PROVIDER_TYPES);
  const address = readAddress(reader, fields.address || undefined, `${path}.address`);
  const token = reader.string(fields.token, `${path}.token`);
  const insecureSkipVerify = reader.boolean(fields.insecureSkipVerify, `${path}.insecureSkipVerify`);
  return {
    type: type ?? 'KubernetesMetricsServer',
    ...(address === undefined ? {} : { address }),
    ...(token === undefined ? {} : { token }),
    ...(insecureSkipVerify === undefined ? {} : { insecureSkipVerify }),
  };
}
