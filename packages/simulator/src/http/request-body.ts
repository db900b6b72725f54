import type { IncomingMessage } from 'node:http';
import { isJsonObject, type JsonObject } from '../core/api/merge-patch.js';
import { badRequest, tooLarge, unsupportedMediaType } from '../core/api/status.js';

export type PatchType = 'strategic' | 'merge';

const PATCH_TYPES: Readonly<Record<string, PatchType>> = {
  'application/strategic-merge-patch+json': 'strategic',
  'application/merge-patch+json': 'merge',
};

/** @throws ApiFailure 415, 413, 400. */
export async function readJsonBody(request: IncomingMessage, limitBytes: number): Promise<JsonObject> {
  requireJson(request);
  return await readObject(request, limitBytes);
}

/** @throws ApiFailure 415, 413, 400. */
export async function readPatch(
  request: IncomingMessage,
  limitBytes: number,
): Promise<{ readonly type: PatchType; readonly patch: JsonObject }> {
  const given = mediaType(request);
  const type = Object.hasOwn(PATCH_TYPES, given) ? PATCH_TYPES[given] : undefined;
  if (type === undefined) throw unsupportedMediaType(given, Object.keys(PATCH_TYPES));
  return { type, patch: await readObject(request, limitBytes) };
}

/** A body that may be left out, as with DELETE. @throws ApiFailure 415, 413, 400. */
export async function readOptionalBody(request: IncomingMessage, limitBytes: number): Promise<JsonObject> {
  requireJson(request);
  const text = await readText(request, limitBytes);
  return text === '' ? {} : parseObject(text);
}

function requireJson(request: IncomingMessage): void {
  const type = mediaType(request);
  if (type !== '' && type !== 'application/json') throw unsupportedMediaType(type, ['application/json']);
}

async function readObject(request: IncomingMessage, limitBytes: number): Promise<JsonObject> {
  return parseObject(await readText(request, limitBytes));
}

function parseObject(text: string): JsonObject {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    const detail = error instanceof Error ? error.message : '';
    throw badRequest(`the body is not JSON: ${detail}`);
  }
  if (!isJsonObject(parsed)) throw badRequest('the body is not a JSON object');
  return parsed;
}

async function readText(request: IncomingMessage, limitBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limitBytes) throw tooLarge(limitBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
