import { Agent, request } from 'undici';

export interface AdminConnection {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
}

/** An answer that is not a success, whole. */
class AnswerError extends Error {
  readonly httpStatus: number;

  constructor(message: string, httpStatus: number) {
    super(message);
    this.httpStatus = httpStatus;
  }
}

const PATCH_TYPES = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** The tests' own hand on the API server: small, and independent of the code under test. */
export class AdminClient {
  readonly #connection: AdminConnection;
  readonly #agent: Agent;

  constructor(connection: AdminConnection, connections = 16) {
    this.#connection = connection;
    this.#agent = new Agent({ connections, connect: { ca: connection.caPem } });
  }

  get<T>(path: string): Promise<T> {
    return this.#call('GET', path);
  }

  create<T>(path: string, object: object): Promise<T> {
    return this.#call('POST', path, { body: object });
  }

  patch<T>(path: string, kind: keyof typeof PATCH_TYPES, object: object): Promise<T> {
    return this.#call('PATCH', path, { body: object, contentType: PATCH_TYPES[kind] });
  }

  delete(path: string, options: object = {}): Promise<unknown> {
    return this.#call('DELETE', path, { body: { apiVersion: 'v1', kind: 'DeleteOptions', ...options } });
  }

  text(path: string): Promise<string> {
    return this.#send('GET', path);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #call<T>(method: Method, path: string, sent?: Sent): Promise<T> {
    return JSON.parse(await this.#send(method, path, sent)) as T;
  }

  async #send(method: Method, path: string, sent?: Sent): Promise<string> {
    const { url, token } = this.#connection;
    const answer = await request(`${url}${path}`, {
      method,
      dispatcher: this.#agent,
      headers: {
        authorization: `Bearer ${token}`,
        ...(sent === undefined ? {} : { 'content-type': sent.contentType ?? 'application/json' }),
      },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent.body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode < 300) return text;
    throw new AnswerError(
      `${method} ${path}: ${answer.statusCode} ${text.slice(0, 2000)}`,
      answer.statusCode,
    );
  }
}

interface Sent {
  readonly body: object;
  readonly contentType?: string;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Runs `work` on each item, so many at a time. */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) await work(items[index] as T);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}
