import type { ArgsOutcome } from '../../config/args-validator.js';
import { ArgsReader } from '../../framework/args-reader.js';

export interface LicenceArgs {
  /** The node label with the number of licences. */
  readonly nodeLabel: string;
  /** Pods with this label hold one. */
  readonly podLabel: string;
}

export const LICENCE_DEFAULTS: LicenceArgs = {
  nodeLabel: 'example.com/licences',
  podLabel: 'example.com/needs-licence',
};

/** Checks and completes the arguments; all problems at once. */
export function readLicenceArgs(raw: unknown): ArgsOutcome {
  const reader = new ArgsReader();
  const fields = reader.map(raw, '', ['nodeLabel', 'podLabel']);
  return reader.outcome({
    nodeLabel: reader.string(fields.nodeLabel, 'nodeLabel') ?? LICENCE_DEFAULTS.nodeLabel,
    podLabel: reader.string(fields.podLabel, 'podLabel') ?? LICENCE_DEFAULTS.podLabel,
  });
}
