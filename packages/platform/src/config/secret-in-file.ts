import { namesSecret } from './mask-secrets.js';
import type { OptionSpec, OptionTable } from './option-spec.js';

/**
 * Why a value may not stand in a configuration file, or undefined. Such files end up in ConfigMaps and repositories,
 * so that a secret is given by the path of a file that holds it, by variable or by flag.
 */
export function secretProblem(
  table: OptionTable,
  given: { readonly key: string; readonly spec: OptionSpec; readonly value: unknown },
): string | undefined {
  const { key, spec, value } = given;
  if (spec.secret === true && typeof value === 'object' && value !== null) {
    const name = Object.keys(value).find(namesSecret);
    if (name === undefined) return undefined;
    return `${name} (value not shown) doesn't belong into a configuration file: give it by ${otherWays(spec)}`;
  }
  if (typeof value !== 'string' || value === '') return undefined;
  if (spec.secret === 'user part') {
    if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i.test(value)) return undefined;
    return `user and password (not shown) don't belong into a configuration file: give the address by ${otherWays(spec)}`;
  }
  if (spec.secret !== true) return undefined;
  const byFile = Object.hasOwn(table, `${key}File`) ? `name a file that holds it with ${key}File, or ` : '';
  return `a secret (not shown) doesn't belong into a configuration file: ${byFile}give it by ${otherWays(spec)}`;
}

function otherWays({ name, env }: OptionSpec): string {
  return env === undefined ? `--${name}` : `the variable ${env}`;
}
