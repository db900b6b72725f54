import type { ArgsReader } from '../framework/args-reader.js';
import type { ArgumentTexts } from '../framework/argument-texts.js';
import { readAddress } from '../node-statistics/load-source-args.js';

/** How to reach the Prometheus that signals are read from. Files are read again when they may have changed. */
export interface SignalSourceArgs {
  readonly address: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly proxyURL?: string;
  readonly insecureSkipVerify?: boolean;
}

/** What these arguments mean. */
export const SIGNAL_SOURCE_ARGUMENTS: ArgumentTexts = {
  address: 'URL of a Prometheus or of what speaks its query API',
  token: 'bearer token',
  tokenFile: 'file with the token, read again when it may have changed',
  headers: 'further headers by name, such as `X-Scope-OrgID`',
  caFile: 'PEM file of the authority that signed its certificate',
  certFile: 'PEM file with a client certificate, read again when it may have changed; with `keyFile`',
  keyFile: 'PEM file with the key of the client certificate',
  proxyURL: 'HTTP proxy on the way, such as `http://proxy:3128`',
  insecureSkipVerify: 'do not check its certificate',
};

const TEXTS = ['token', 'tokenFile', 'caFile', 'certFile', 'keyFile'] as const;

type Fields = Readonly<Record<string, unknown>>;

/** @param address given elsewhere in the arguments; undefined: the map must hold one. */
export function readSignalSource(
  reader: ArgsReader,
  value: unknown,
  { path, address }: { readonly path: string; readonly address?: string | undefined },
): SignalSourceArgs {
  const fields = reader.map(value, path, Object.keys(SIGNAL_SOURCE_ARGUMENTS));
  const own = readAddress(reader, fields.address, `${path}.address`);
  if (own === undefined && address === undefined && fields.address === undefined) {
    reader.missing(
      `${path}.address`,
      'is missing: give the URL of a Prometheus, such as http://prometheus:9090',
    );
  }
  const insecureSkipVerify = reader.boolean(fields.insecureSkipVerify, `${path}.insecureSkipVerify`);
  return {
    address: own ?? address ?? '',
    ...readTexts(reader, fields, path),
    ...readHeaders(reader, fields, path),
    ...readProxy(reader, fields, path),
    ...(insecureSkipVerify === undefined ? {} : { insecureSkipVerify }),
  };
}

function readTexts(
  reader: ArgsReader,
  fields: Fields,
  path: string,
): Partial<Pick<SignalSourceArgs, (typeof TEXTS)[number]>> {
  const given = TEXTS.flatMap((field) => {
    const text = reader.string(fields[field], `${path}.${field}`);
    return text === undefined ? [] : [[field, text] as const];
  });
  const texts: Partial<Record<(typeof TEXTS)[number], string>> = Object.fromEntries(given);
  if (texts.token !== undefined && texts.tokenFile !== undefined) {
    reader.problem(`${path}.tokenFile`, 'is given beside token: remove one of the two');
  }
  if (texts.certFile !== undefined && texts.keyFile === undefined) {
    reader.missing(`${path}.keyFile`, 'is missing: certFile needs the key of its certificate');
  }
  if (texts.keyFile !== undefined && texts.certFile === undefined) {
    reader.missing(`${path}.certFile`, 'is missing: keyFile needs the certificate it belongs to');
  }
  return texts;
}

function readHeaders(
  reader: ArgsReader,
  { headers }: Fields,
  path: string,
): Pick<SignalSourceArgs, 'headers'> {
  if (headers === undefined || headers === null) return {};
  const known = typeof headers === 'object' ? Object.keys(headers) : [];
  const fields = reader.map(headers, `${path}.headers`, known);
  const read = known.flatMap((name) => {
    const text = reader.string(fields[name], `${path}.headers.${name}`);
    return text === undefined ? [] : [[name, text] as const];
  });
  return { headers: Object.fromEntries(read) };
}

function readProxy(
  reader: ArgsReader,
  { proxyURL: value }: Fields,
  path: string,
): Pick<SignalSourceArgs, 'proxyURL'> {
  const proxyURL = readAddress(reader, value, `${path}.proxyURL`);
  return proxyURL === undefined ? {} : { proxyURL };
}
