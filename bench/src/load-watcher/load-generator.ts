import { connect, type Socket } from 'node:net';

/** What to send, over and over, and how long an answer is. */
export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  /** Complete requests; each connection goes through them in turn. */
  readonly requests: readonly string[];
  readonly durationMs: number;
}

export interface LoadResult {
  readonly answers: number;
  readonly elapsedMs: number;
}

/**
 * Sends the next request of a connection as soon as the answer to the last one is complete. Reads only Content-Length,
 * so that the generator costs little beside what it measures. Runs in a process of its own, whose memory is not ours.
 */
function generate(order: LoadOrder): void {
  const startedMs = performance.now();
  const deadlineMs = startedMs + order.durationMs;
  let answers = 0;
  let open = order.connections;
  const finish = (): void => {
    open -= 1;
    if (open === 0)
      process.send?.({ answers, elapsedMs: performance.now() - startedMs } satisfies LoadResult);
  };
  for (let index = 0; index < order.connections; index += 1) {
    let turn = index;
    const socket = connect(order.port, '127.0.0.1', () => send());
    const send = (): void => {
      if (performance.now() >= deadlineMs) {
        socket.end();
        finish();
        return;
      }
      socket.write(order.requests[turn % order.requests.length] ?? '');
      turn += 1;
    };
    onAnswer(socket, () => {
      answers += 1;
      send();
    });
  }
}

/** Calls back once for each complete answer. */
function onAnswer(socket: Socket, done: () => void): void {
  let remaining = 0;
  socket.on('data', (chunk: Buffer) => {
    if (remaining === 0) {
      const headEnd = chunk.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(chunk.subarray(0, headEnd).toString('latin1'))?.[1];
      remaining = headEnd + 4 + Number(length ?? 0);
    }
    remaining -= chunk.length;
    if (remaining <= 0) {
      remaining = 0;
      done();
    }
  });
}

process.once('message', (order) => generate(order as LoadOrder));
