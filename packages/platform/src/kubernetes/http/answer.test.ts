import { expect } from 'chai';
import { ClusterApiError } from '../cluster-api.js';
import { decodeAnswer, type HttpAnswer } from './answer.js';

const JSON_TYPE = 'application/json';

function answer(httpStatus: number, body: unknown, more: Partial<HttpAnswer> = {}): HttpAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { host: 'api:6443', httpStatus, contentType: JSON_TYPE, retryAfter: undefined, text, ...more };
}

const status = (code: number, reason: string, details?: object) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code,
  reason,
  message: `because of ${reason}`,
  ...(details === undefined ? {} : { details }),
});

function failureOf(given: HttpAnswer): ClusterApiError {
  try {
    decodeAnswer(given);
  } catch (error) {
    if (error instanceof ClusterApiError) return error;
  }
  throw new Error('was taken for an answer');
}

describe('decodeAnswer', () => {
  it('gives the JSON of every 2xx answer', () => {
    expect(decodeAnswer(answer(200, { a: 1 }))).to.deep.equal({ a: 1 });
    expect(decodeAnswer(answer(201, status(201, 'Created')))).to.have.property('code', 201);
    const typed = { contentType: 'application/vnd.example+json; charset=utf-8' };
    expect(decodeAnswer(answer(200, { a: 1 }, typed))).to.deep.equal({ a: 1 });
  });

  const refusals: [sentence: string, given: HttpAnswer, expected: object][] = [
    ['400 is rejected', answer(400, status(400, 'BadRequest')), { code: 'rejected', reason: 'BadRequest' }],
    ['401 is unauthorized', answer(401, status(401, 'Unauthorized')), { code: 'unauthorized' }],
    ['403 is forbidden', answer(403, status(403, 'Forbidden')), { code: 'forbidden' }],
    ['404 is not found', answer(404, status(404, 'NotFound')), { code: 'not-found', reason: 'NotFound' }],
    [
      '409 is a conflict',
      answer(409, status(409, 'AlreadyExists')),
      { code: 'conflict', reason: 'AlreadyExists' },
    ],
    ['410 is gone', answer(410, status(410, 'Expired')), { code: 'gone', httpStatus: 410 }],
    ['422 is rejected', answer(422, status(422, 'Invalid')), { code: 'rejected', httpStatus: 422 }],
    [
      '429 says when to come again, in its details',
      answer(429, status(429, 'TooManyRequests', { retryAfterSeconds: 3 })),
      { code: 'throttled', retryAfterMs: 3000 },
    ],
    [
      'the Retry-After header wins over the details',
      answer(429, status(429, 'TooManyRequests', { retryAfterSeconds: 3 }), { retryAfter: '5' }),
      { code: 'throttled', retryAfterMs: 5000 },
    ],
    [
      'a Retry-After that is no number of seconds is ignored',
      answer(503, status(503, 'ServiceUnavailable'), { retryAfter: 'Wed, 21 Oct 2026 07:28:00 GMT' }),
      { code: 'unavailable', retryAfterMs: undefined },
    ],
    [
      '500 is unavailable',
      answer(500, status(500, 'InternalError')),
      { code: 'unavailable', httpStatus: 500 },
    ],
    ['504 is a time-out', answer(504, status(504, 'Timeout')), { code: 'timeout', httpStatus: 504 }],
    [
      'a gateway that is down sends HTML, and that is unavailable',
      answer(502, '<html>Bad Gateway</html>', { contentType: 'text/html' }),
      { code: 'unavailable', httpStatus: 502 },
    ],
    [
      'a path nobody serves is answered in plain text, and that is not found, but no object that is missing',
      answer(404, '404 page not found\n', { contentType: 'text/plain; charset=utf-8' }),
      { code: 'not-found', reason: undefined },
    ],
    [
      'an HTML page for 404 comes from no API server',
      answer(404, '<html>', { contentType: 'text/html' }),
      { code: 'invalid-answer', httpStatus: 404 },
    ],
    [
      'a redirection comes from no API server',
      answer(302, '', { contentType: '' }),
      { code: 'invalid-answer' },
    ],
    ['JSON that is cut off is no answer', answer(200, '{"a":'), { code: 'invalid-answer' }],
    [
      'an error whose JSON is no Status still counts by its number',
      answer(503, { error: 'x' }),
      { code: 'unavailable' },
    ],
  ];
  for (const [sentence, given, expected] of refusals) {
    it(sentence, () => {
      const { code, httpStatus, reason, retryAfterMs } = failureOf(given);
      expect({ code, httpStatus, reason, retryAfterMs }).to.include(expected);
    });
  }

  it('carries the message of the Status', () => {
    expect(failureOf(answer(409, status(409, 'Conflict'))).message).to.equal('because of Conflict');
  });

  it('names host, status, content type and the first 200 characters of what is no JSON', () => {
    const { message } = failureOf(answer(200, `<html>${'x'.repeat(300)}`, { contentType: 'text/html' }));
    expect(message)
      .to.include('api:6443 answered 200 with text/html')
      .and.include('check the server address');
    expect(message.endsWith(`<html>${'x'.repeat(194)}`)).to.equal(true);
  });
});
