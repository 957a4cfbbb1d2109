import { describe, expect, test } from 'vitest';
import { readToolAnswer } from '../../src/tools/function-tool/protocol.ts';

const read = (body: string | Uint8Array, { status = 200, contentType = 'application/json' } = {}) =>
  readToolAnswer({
    status,
    contentType,
    body: typeof body === 'string' ? Buffer.from(body) : body,
    toolCallId: 'c1',
  });

describe("what a tool's server may answer", () => {
  test.each<[string, string, string]>([
    ['its result', '{"results":[{"toolCallId":"c1","result":"free at 9"}]}', 'free at 9'],
    ['a structured result', '{"results":[{"toolCallId":"c1","result":{"a":1}}]}', '{"a":1}'],
    [
      'one of several',
      '{"results":[{"toolCallId":"x","result":1},{"toolCallId":"c1","result":2}]}',
      '2',
    ],
    ['a single result without an id', '{"results":[{"result":"yes"}]}', 'yes'],
    ['a result of null', '{"results":[{"toolCallId":"c1","result":null}]}', 'null'],
    ['a bare object', '{"free":["9:00"]}', '{"free":["9:00"]}'],
    ['an object whose results mean something else', '{"results":[1,2]}', '{"results":[1,2]}'],
    ['a bare string', '"free"', 'free'],
    ['a bare number', '42', '42'],
    ['nothing', '', '{"status":"done"}'],
  ])('%s', (_form, body, result) => {
    expect(read(body)).toEqual({ ok: true, result });
  });

  test('text', () => {
    const outcome = read('Nine is free.\n', { contentType: 'text/plain; charset=utf-8' });
    expect(outcome).toEqual({ ok: true, result: 'Nine is free.\n' });
  });

  test('a line to be said', () => {
    const body = '{"results":[{"toolCallId":"c1","result":"ok","message":" All booked. "}]}';
    expect(read(body)).toEqual({ ok: true, result: 'ok', message: 'All booked.' });
  });

  test('an error, with a line to be said', () => {
    const body = '{"results":[{"toolCallId":"c1","error":"full","message":"We are full."}]}';
    expect(read(body)).toEqual({
      ok: false,
      error: 'full',
      code: 'tool_reported',
      message: 'We are full.',
    });
  });

  test.each<[string, string | Uint8Array, object, RegExp, string?]>([
    ['results of others', '{"results":[{"toolCallId":"c2","result":1}]}', {}, /without a result/],
    ['an empty list', '{"results":[]}', {}, /without a result/],
    ['JSON that is none', '{"results":', {}, /announced JSON/],
    ['a web page', '<!doctype html><p>Hi', { contentType: 'text/html' }, /web page/],
    ['bytes', new Uint8Array([0xff, 0xfe]), { contentType: 'text/plain' }, /not answer with text/],
    [
      'a refusal',
      '{"why":"no seats"}',
      { status: 409 },
      /status 409: \{"why":"no seats"\}/,
      'http_409',
    ],
    ['a redirect', '', { status: 302 }, /status 302$/, 'http_302'],
    [
      'a page of failure',
      '<html>',
      { status: 500, contentType: 'text/html' },
      /status 500$/,
      'http_500',
    ],
  ])('%s is no result', (_form, body, options, error, code = 'bad_answer') => {
    expect(read(body, options)).toEqual({ ok: false, error: expect.stringMatching(error), code });
  });
});
