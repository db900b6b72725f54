import { defineOptions } from '@catamaran/platform';

/** Where the load-watcher listens, and to whom it answers. */
export const servingOptions = defineOptions({
  port: {
    name: 'port',
    type: 'integer',
    default: 2020,
    min: 0,
    max: 65_535,
    description: 'Port to listen on; 0 takes a free one.',
  },
  bindAddress: {
    name: 'bind-address',
    type: 'string',
    default: '',
    description: 'Address to listen on; empty for all interfaces.',
  },
  tlsCertFile: {
    name: 'tls-cert-file',
    env: 'WATCHER_TLS_CERT_FILE',
    type: 'string',
    default: '',
    description: 'Certificate (PEM), read again when it changes; with it the port speaks HTTPS only.',
  },
  tlsPrivateKeyFile: {
    name: 'tls-private-key-file',
    env: 'WATCHER_TLS_PRIVATE_KEY_FILE',
    type: 'string',
    default: '',
    description: 'Key (PEM) of --tls-cert-file.',
  },
  watcherTokenFile: {
    name: 'watcher-token-file',
    env: 'WATCHER_TOKEN_FILE',
    type: 'string',
    default: '',
    description:
      'File with a bearer token that /watcher then wants, read again when it changes; all other paths stay as they are.',
  },
});
