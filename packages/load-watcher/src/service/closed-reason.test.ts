import { expect } from 'chai';
import fc from 'fast-check';
import { closedReason } from './closed-reason.js';

describe('closedReason', () => {
  const rows: [sentence: string, failure: string, reason: string][] = [
    [
      'a status, not what came with it',
      'CPU AVG 15m: http://p:9090: HTTP 401, text/plain, body begins "Bearer sesame"; it wants other credentials',
      'it answered HTTP 401',
    ],
    [
      'a code of the connection',
      'http://p:9090: nothing listens there (ECONNREFUSED): check',
      'ECONNREFUSED',
    ],
    ['a code of TLS', 'x: unknown authority (SELF_SIGNED_CERT_IN_CHAIN): give', 'SELF_SIGNED_CERT_IN_CHAIN'],
    ['a deadline', 'http://user@p: no answer within 0.5 s', 'no answer within 0.5 s'],
    ['nothing else', 'bad Custom sesame', 'it gave no figures'],
  ];
  for (const [sentence, failure, reason] of rows) {
    it(`tells ${sentence}`, () => {
      expect(closedReason('Prometheus', failure)).to.equal(
        `Prometheus: ${reason}; why is told at /debug/nodes and in the log`,
      );
    });
  }

  it('is short whatever was said', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 500 }), (failure) => {
        expect(closedReason('Datadog', failure).length).to.be.below(130);
      }),
    );
  });
});
