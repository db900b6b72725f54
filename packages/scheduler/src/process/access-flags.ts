import { defineOptions } from '@catamaran/platform';

/** kube-scheduler's flags for its secure port, and who may read it. */
export const accessFlags = defineOptions({
  bindAddress: {
    name: 'bind-address',
    type: 'string',
    default: '0.0.0.0',
    description: 'Address of the secure port.',
    group: 'Secure serving flags',
  },
  securePort: {
    name: 'secure-port',
    type: 'integer',
    default: 10_259,
    min: 0,
    max: 65_535,
    description: 'HTTPS port for probes, metrics and debugging; 0 turns it off.',
    group: 'Secure serving flags',
  },
  tlsCertFile: {
    name: 'tls-cert-file',
    type: 'string',
    default: '',
    description:
      'Certificate (PEM) of the secure port, read again when it changes; by default a self-signed one is made at start.',
    group: 'Secure serving flags',
  },
  tlsPrivateKeyFile: {
    name: 'tls-private-key-file',
    type: 'string',
    default: '',
    description: 'Key (PEM) of --tls-cert-file.',
    group: 'Secure serving flags',
  },
  tlsMinVersion: {
    name: 'tls-min-version',
    type: 'string',
    choices: ['VersionTLS10', 'VersionTLS11', 'VersionTLS12', 'VersionTLS13'],
    default: 'VersionTLS12',
    description: 'Oldest TLS version of the secure port; those before 1.2 count as 1.2.',
    group: 'Secure serving flags',
  },
  authenticationKubeconfig: {
    name: 'authentication-kubeconfig',
    type: 'string',
    default: '',
    description: 'Kubeconfig for reviews of tokens (TokenReview); by default as the scheduler itself.',
    group: 'Authentication flags',
  },
  authenticationTokenWebhookCacheTtl: {
    name: 'authentication-token-webhook-cache-ttl',
    type: 'duration',
    default: '10s',
    min: 0,
    description: 'How long the review of a token counts.',
    group: 'Authentication flags',
  },
  clientCaFile: {
    name: 'client-ca-file',
    type: 'string',
    default: '',
    description:
      'Authorities (PEM) whose client certificates are taken: common name as user, organisations as groups.',
    group: 'Authentication flags',
  },
  allowLocalRequests: {
    name: 'allow-local-requests',
    type: 'boolean',
    default: true,
    description:
      'Requests from this machine or pod that show no credentials may read everything; where --authentication-kubeconfig, --authorization-kubeconfig or --client-ca-file is given, only if this is too.',
    group: 'Authorization flags',
  },
  authorizationKubeconfig: {
    name: 'authorization-kubeconfig',
    type: 'string',
    default: '',
    description:
      'Kubeconfig for reviews of access (SubjectAccessReview); by default as the scheduler itself.',
    group: 'Authorization flags',
  },
  authorizationAlwaysAllowPaths: {
    name: 'authorization-always-allow-paths',
    type: 'list',
    default: ['/healthz', '/readyz', '/livez'],
    description: 'Paths that everybody may read; a final * stands for any rest.',
    group: 'Authorization flags',
  },
  authorizationWebhookCacheAuthorizedTtl: {
    name: 'authorization-webhook-cache-authorized-ttl',
    type: 'duration',
    default: '10s',
    min: 0,
    description: 'How long it counts that somebody may.',
    group: 'Authorization flags',
  },
  authorizationWebhookCacheUnauthorizedTtl: {
    name: 'authorization-webhook-cache-unauthorized-ttl',
    type: 'duration',
    default: '10s',
    min: 0,
    description: 'How long it counts that somebody may not.',
    group: 'Authorization flags',
  },
});
