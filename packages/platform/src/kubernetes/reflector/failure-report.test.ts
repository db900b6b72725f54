import { expect } from 'chai';
import { type Logger, silentLogger } from '../../log/logger.js';
import { ClusterApiError, type ClusterApiErrorCode } from '../cluster-api.js';
import { FailureReport } from './failure-report.js';

const attempt = { retryInMs: 100.4, failures: 1 };

function unreached(code: string): ClusterApiError {
  const cause = Object.assign(new Error(code), { code });
  return new ClusterApiError('unavailable', `host: ${code}`, { cause: new Error('failed', { cause }) });
}

function answered(code: ClusterApiErrorCode, httpStatus: number): ClusterApiError {
  return new ClusterApiError(code, `answered ${httpStatus}`, { httpStatus });
}

describe('FailureReport', () => {
  let said: string[];
  let report: FailureReport;

  beforeEach(() => {
    said = [];
    report = new FailureReport({
      ...silentLogger,
      info: (message) => said.push(message),
      warn: (_message, details) => said.push(String(details?.reason)),
    } as Logger);
  });

  it('warns once of a server that is cut off, refuses connections and answers 500 and 503 in turn', () => {
    for (const failure of [unreached('ECONNRESET'), unreached('ECONNREFUSED'), unreached('UND_ERR_SOCKET')])
      report.failed(failure, attempt);
    for (const status of [500, 503, 500]) report.failed(answered('unavailable', status), attempt);
    expect(said).to.deep.equal(['host: ECONNRESET', 'answered 500']);
  });

  it('warns again when the reason becomes another one, and of each in the next outage', () => {
    for (const outage of [1, 2]) {
      for (const code of ['ECONNRESET', 'SELF_SIGNED_CERT_IN_CHAIN', 'ENOTFOUND', 'ECONNRESET'])
        report.failed(unreached(code), attempt);
      expect(said.splice(0), `outage ${outage}`).to.deep.equal([
        'host: ECONNRESET',
        'host: SELF_SIGNED_CERT_IN_CHAIN',
        'host: ENOTFOUND',
      ]);
      report.healthy();
      expect(said.splice(0)).to.deep.equal(['the watch is healthy again']);
    }
  });

  it('warns of four kinds in one outage at most, and says nothing of health that was never lost', () => {
    report.healthy();
    expect(said).to.deep.equal([]);
    const refusals = ['unauthorized', 'forbidden', 'throttled', 'timeout', 'conflict', 'rejected'] as const;
    for (const [index, code] of refusals.entries()) report.failed(answered(code, 401 + index), attempt);
    expect(said).to.have.length(4);
  });
});
