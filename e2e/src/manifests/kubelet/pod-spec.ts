/** The part of a pod that the runner acts on. What it does not know is refused, so that nothing is passed over. */
export interface PodSpec {
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly hostNetwork?: boolean;
  readonly securityContext?: SecurityContext;
  readonly terminationGracePeriodSeconds?: number;
  readonly containers: readonly ContainerSpecOfPod[];
  readonly volumes?: readonly Volume[];
}

export interface SecurityContext {
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
}

export interface ContainerSpecOfPod {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly env?: readonly EnvVar[];
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly securityContext?: SecurityContext;
  readonly volumeMounts?: readonly VolumeMount[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly fieldRef?: { readonly fieldPath: string } };
}

export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath?: string;
  readonly readOnly?: boolean;
}

export interface Volume {
  readonly name: string;
  readonly configMap?: { readonly name: string };
  readonly hostPath?: { readonly path: string };
  readonly emptyDir?: object;
}

export interface Probe {
  readonly httpGet?: {
    readonly path?: string;
    readonly port: number | string;
    readonly scheme?: string;
  };
  readonly timeoutSeconds?: number;
}

export interface RunnablePod {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: PodSpec;
}

const KNOWN_OF_CONTAINER = [
  'name',
  'image',
  'imagePullPolicy',
  'command',
  'args',
  'workingDir',
  'env',
  'ports',
  'resources',
  'securityContext',
  'volumeMounts',
  'startupProbe',
  'livenessProbe',
  'readinessProbe',
  'terminationMessagePath',
  'terminationMessagePolicy',
];

/** @throws Error that names what the runner would pass over. */
export function refuseUnknown({ spec }: RunnablePod): void {
  for (const container of spec.containers) {
    const unknown = Object.keys(container).filter((key) => !KNOWN_OF_CONTAINER.includes(key));
    if (unknown.length > 0)
      throw new Error(`container ${container.name}: ${unknown.join(', ')} is not run here`);
  }
}
