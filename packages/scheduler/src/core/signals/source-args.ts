import type { ArgsReader } from '../framework/args-reader.js';
import type { ArgumentTexts } from '../framework/argument-texts.js';
import { readAddress } from '../node-statistics/load-args.js';

/** How to reach the Prometheus that signals are read from. */
export interface SignalSourceArgs {
  readonly address: string;
  readonly token?: string;
  /** Read again when it may have changed. */
  readonly tokenFile?: string;
  readonly caFile?: string;
  readonly insecureSkipVerify?: boolean;
}

/** What these arguments mean. */
export const SIGNAL_SOURCE_ARGUMENTS: ArgumentTexts = {
  address: 'URL of a Prometheus or of what speaks its query API',
  token: 'bearer token',
  tokenFile: 'file with the token, read again when it may have changed',
  caFile: 'PEM file of the authority that signed its certificate',
  insecureSkipVerify: 'do not check its certificate',
};

/** @param address given elsewhere in the arguments; undefined: the map must hold one. */
export function readSignalSource(
  reader: ArgsReader,
  value: unknown,
  { path, address }: { readonly path: string; readonly address?: string | undefined },
): SignalSourceArgs {
  const fields = reader.map(value, path, Object.keys(SIGNAL_SOURCE_ARGUMENTS));
  const own = readAddress(reader, fields.address, `${path}.address`);
  if (own === undefined && address === undefined) {
    reader.missing(
      `${path}.address`,
      'is missing: give the URL of a Prometheus, such as http://prometheus:9090',
    );
  }
  const text = (field: 'token' | 'tokenFile' | 'caFile') => reader.string(fields[field], `${path}.${field}`);
  const [token, tokenFile, caFile] = [text('token'), text('tokenFile'), text('caFile')];
  const insecureSkipVerify = reader.boolean(fields.insecureSkipVerify, `${path}.insecureSkipVerify`);
  if (token !== undefined && tokenFile !== undefined) {
    reader.problem(`${path}.tokenFile`, 'is given beside token: remove one of the two');
  }
  return {
    address: own ?? address ?? '',
    ...(token === undefined ? {} : { token }),
    ...(tokenFile === undefined ? {} : { tokenFile }),
    ...(caFile === undefined ? {} : { caFile }),
    ...(insecureSkipVerify === undefined ? {} : { insecureSkipVerify }),
  };
}
