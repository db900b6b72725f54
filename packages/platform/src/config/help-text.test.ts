import { expect } from 'chai';
import { helpText } from './help-text.js';
import { defineOptions } from './option-spec.js';

describe('helpText', () => {
  it('lists flags with type, default and variable; deprecated and effectless ones apart', () => {
    const table = defineOptions({
      port: { name: 'port', env: 'PORT', type: 'integer', default: 2020, description: 'Port to listen on.' },
      mode: { name: 'mode', type: 'string', choices: ['a', 'b'], default: 'a', description: 'How to run.' },
      verbosity: { name: 'v', shorthand: 'v', type: 'integer', description: 'Verbosity.' },
      token: { name: 'token', type: 'string', secret: true, default: 'hunter2', description: 'Token.' },
      quiet: { name: 'quiet', type: 'boolean', default: false, description: 'Say less.' },
      old: { name: 'address', type: 'string', deprecated: 'use --bind-address', description: 'Address.' },
      ignored: {
        name: 'logtostderr',
        type: 'boolean',
        default: true,
        noEffect: 'logs go to stderr',
        description: '-',
      },
    });
    expect(helpText({ name: 'watcher', summary: 'Serves load.' }, table)).to.equal(
      [
        'Serves load.',
        '',
        'Usage: watcher [flags]',
        '',
        'Flags:',
        '      --port N      Port to listen on. (default 2020, env PORT)',
        '      --mode a|b    How to run. (default a)',
        '  -v, --v N         Verbosity.',
        '      --token TEXT  Token.',
        '      --quiet       Say less.',
        '  -h, --help        Print this text.',
        '',
        'Deprecated:',
        '      --address TEXT  Address. Instead: use --bind-address.',
        '',
        'Accepted without effect:',
        '      --logtostderr  logs go to stderr',
        '',
      ].join('\n'),
    );
  });

  it('puts flags of a group under its heading, after those of none', () => {
    const table = defineOptions({
      port: { name: 'port', type: 'integer', description: 'Port.', group: 'Serving flags' },
      config: { name: 'config', type: 'string', description: 'File.' },
      cert: { name: 'cert', type: 'string', description: 'Certificate.', group: 'Serving flags' },
    });
    expect(helpText({ name: 'p', summary: 'S.' }, table)).to.equal(
      [
        'S.',
        '',
        'Usage: p [flags]',
        '',
        'Flags:',
        '      --config TEXT  File.',
        '  -h, --help         Print this text.',
        '',
        'Serving flags:',
        '      --port N     Port.',
        '      --cert TEXT  Certificate.',
        '',
      ].join('\n'),
    );
  });
});
