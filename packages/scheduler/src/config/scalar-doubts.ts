import { isNode, isScalar } from 'yaml';

const CORE = 'tag:yaml.org,2002:';
const TAGS = new Set(['str', 'map', 'seq'].map((name) => `${CORE}${name}`));

/** Why a tag is refused: only these three mean the same to every reader, whatever they stand at. */
export function tagDoubt(node: unknown): string | undefined {
  const tag = isNode(node) && 'tag' in node ? node.tag : undefined;
  if (tag === undefined || TAGS.has(tag)) return undefined;
  const shown = tag.startsWith(CORE) ? `!!${tag.slice(CORE.length)}` : tag;
  return `the tag ${shown} is not supported: write the plain value`;
}

const YES = /^(?:y|Y|yes|Yes|YES|on|On|ON)$/;
const NO = /^(?:n|N|no|No|NO|off|Off|OFF)$/;
/** Octal for kube-scheduler, which reads `0o10` so too, and decimal for YAML 1.2. */
const LEADING_ZERO = /^[-+]?0[\d_]+$/;
/** Numbers with a sign before their base, in base 2, or grouped: numbers for kube-scheduler, texts for YAML 1.2. */
const GO_NUMBER = /^[-+]?(?:0b[01_]+|0x[\da-f_]+|0o[0-7_]+|(?:\d[\d_]*\.?[\d_]*|\.[\d_]+)(?:e[-+]?\d+)?)$/i;
const WHOLE = /^[-+]?\d+$/;

/**
 * Why a plain value is refused: kube-scheduler's YAML, which is of version 1.1 with Go's spelling of numbers, reads
 * another one than YAML 1.2 does, or no JavaScript number is exactly it.
 */
export function scalarDoubt(node: unknown): string | undefined {
  if (!isScalar(node) || node.type !== 'PLAIN' || node.tag === `${CORE}str`) return undefined;
  const { source = '', value } = node;
  if (YES.test(source))
    return `kube-scheduler reads ${source} as true: write true, or quote it if it is a text`;
  if (NO.test(source))
    return `kube-scheduler reads ${source} as false: write false, or quote it if it is a text`;
  if (LEADING_ZERO.test(source)) {
    return `kube-scheduler reads ${source} as octal: write it without leading zeros, or quote it if it is a text`;
  }
  if (typeof value === 'string' && GO_NUMBER.test(source)) {
    return `kube-scheduler reads ${source} as a number: write it in plain digits, or quote it if it is a text`;
  }
  return WHOLE.test(source) && !Number.isSafeInteger(Number(source))
    ? `${source} is larger than any whole number that can be read exactly: at most ${Number.MAX_SAFE_INTEGER}`
    : undefined;
}
