export const KIND = 'KubeSchedulerConfiguration';
const GROUP = 'kubescheduler.config.k8s.io';

/** The version that files are written in today. */
export const V1 = `${GROUP}/v1`;

/** What an older version of the format means, where that is not what v1 means. */
export interface OldVersion {
  readonly apiVersion: string;
  /** The first kube-scheduler that refuses it. */
  readonly goneSince: string;
  /** Weights of default score plugins, where v1 has others. */
  readonly weights: Readonly<Record<string, number>>;
  /** `multiPoint` is a field of it. */
  readonly hasMultiPoint: boolean;
  /** `healthzBindAddress` and `metricsBindAddress` are fields of it. */
  readonly hasBindAddresses: boolean;
  /** NodeResourcesLeastAllocated and its kin score, and NodeResourcesFit filters only. */
  readonly hasOwnAllocationPlugins: boolean;
}

const WEIGHTS_BEFORE_V1BETA3 = { TaintToleration: 1, NodeAffinity: 1, InterPodAffinity: 1 };

/** By `apiVersion`. v1beta3 has the fields, default plugins and weights of v1. */
export const OLD_VERSIONS: ReadonlyMap<string, OldVersion> = new Map(
  [
    {
      apiVersion: `${GROUP}/v1beta3`,
      goneSince: '1.29',
      weights: {},
      hasMultiPoint: true,
      hasBindAddresses: false,
      hasOwnAllocationPlugins: false,
    },
    {
      apiVersion: `${GROUP}/v1beta2`,
      goneSince: '1.28',
      weights: WEIGHTS_BEFORE_V1BETA3,
      hasMultiPoint: false,
      hasBindAddresses: true,
      hasOwnAllocationPlugins: false,
    },
    {
      apiVersion: `${GROUP}/v1beta1`,
      goneSince: '1.23',
      weights: WEIGHTS_BEFORE_V1BETA3,
      hasMultiPoint: false,
      hasBindAddresses: true,
      hasOwnAllocationPlugins: true,
    },
  ].map((version) => [version.apiVersion, version]),
);

/** For messages. */
export const SUPPORTED_VERSIONS = `${V1}, v1beta3, v1beta2 and v1beta1`;
