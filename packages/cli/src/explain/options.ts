import { defineOptions, type OptionValues, stageOptions, UsageError } from '@catamaran/platform';
import { readPodName } from './pod-name.js';

export const EXPLAIN_OPTIONS = defineOptions({
  file: {
    name: 'file',
    type: 'string',
    description:
      'A pod as JSON or YAML that exists only in this file (- reads stdin): where would it go now?',
  },
  namespace: {
    name: 'namespace',
    shorthand: 'n',
    type: 'string',
    description: 'Namespace of a pod that is named without one; default where it is not given.',
  },
  scheduler: {
    name: 'scheduler',
    type: 'string',
    default: 'https://127.0.0.1:10259',
    description: 'Secure port of the scheduler to ask, for example through kubectl port-forward.',
  },
  tokenFile: {
    name: 'token-file',
    type: 'string',
    default: '',
    description:
      'File with a bearer token to show, as kubectl create token prints it; its user needs the ClusterRole catamaran-scheduler-reader.',
  },
  certificateAuthority: {
    name: 'certificate-authority',
    type: 'string',
    default: '',
    description:
      'Authorities (PEM) that vouch for the scheduler; without it the public ones, on this machine nobody need.',
  },
  profile: {
    name: 'profile',
    type: 'string',
    default: '',
    description: 'Profile to judge the pod of --file by; by default that of its spec.schedulerName.',
  },
  insecureSkipTlsVerify: {
    name: 'insecure-skip-tls-verify',
    type: 'boolean',
    default: false,
    description: 'Accept any certificate from a scheduler that is not on this machine.',
  },
  nodes: {
    name: 'nodes',
    type: 'integer',
    min: 1,
    max: 10_000,
    description: 'Nodes to list; 10, with --output json 100.',
  },
  output: {
    name: 'output',
    type: 'string',
    choices: ['text', 'json'],
    default: 'text',
    description: "json: the scheduler's own answer, with the inputs of every score plugin.",
  },
});

/** Whose decision is asked for: one that was made (`namespace/name`), or one that would be made for a pod in a file. */
export type Subject =
  | { readonly kind: 'recorded'; readonly podKey: string }
  | { readonly kind: 'file'; readonly path: string };

export interface ExplainOptions {
  readonly subject: Subject;
  readonly scheduler: URL;
  readonly insecureSkipTlsVerify: boolean;
  /** Paths; empty for none. */
  readonly tokenFile: string;
  readonly certificateAuthority: string;
  /** Empty: by the pod's scheduler name. */
  readonly profile: string;
  /** Undefined: as many as fit the output. */
  readonly nodes: number | undefined;
  readonly output: 'text' | 'json';
}

/**
 * Reads the flags and the pod's name.
 * @returns undefined when help was asked for.
 * @throws UsageError with all problems at once.
 */
export function readExplainOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ExplainOptions | undefined {
  const staged = stageOptions(EXPLAIN_OPTIONS, { argv, env, allowPositionals: true });
  if (!staged.ok) throw new UsageError(staged.problems);
  if (staged.helpRequested) return undefined;
  const { values, positionals } = staged;
  const problems: string[] = [];
  const subject = subjectOf(values, positionals, problems);
  const scheduler = urlOf(values.scheduler, problems);
  if (subject === undefined || scheduler === undefined) throw new UsageError(problems);
  const { insecureSkipTlsVerify, tokenFile, certificateAuthority, profile, nodes, output } = values;
  if (profile !== '' && subject.kind !== 'file') {
    throw new UsageError(['--profile: only for a pod in a file; of a decision it is known']);
  }
  return {
    subject,
    scheduler,
    insecureSkipTlsVerify,
    tokenFile,
    certificateAuthority,
    profile,
    nodes,
    output,
  };
}

function subjectOf(
  { file, namespace }: OptionValues<typeof EXPLAIN_OPTIONS>,
  words: readonly string[],
  problems: string[],
): Subject | undefined {
  if (file === undefined) {
    const podKey = readPodName(words, namespace);
    if (podKey.ok) return { kind: 'recorded', podKey: podKey.value };
    problems.push(podKey.problem);
    return undefined;
  }
  const before = problems.length;
  if (words.length > 0) {
    problems.push(`--file=${file}: either a file or the name of a pod (${words.join(' ')}), not both`);
  }
  if (file === '') problems.push('--file: is empty; give the path of a pod as JSON or YAML');
  if (namespace !== undefined)
    problems.push('--namespace: only for a pod that is named; a file says its own');
  return problems.length > before ? undefined : { kind: 'file', path: file };
}

function urlOf(text: string, problems: string[]): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    problems.push(`--scheduler: "${text}" is no URL; give one such as https://127.0.0.1:10259`);
    return undefined;
  }
  return url;
}
