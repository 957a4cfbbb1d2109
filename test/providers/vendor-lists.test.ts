import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createGuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { VendorListReader } from '../../src/providers/vendor-lists/list-reader.ts';
import { MODEL_LISTS } from '../../src/providers/vendor-lists/models-protocol.ts';
import type { VendorListProtocol } from '../../src/providers/vendor-lists/protocol.ts';
import { VOICE_LISTS } from '../../src/providers/vendor-lists/voices-protocol.ts';
import { startLocalServer } from '../support/local-server.ts';
import { ManualClock } from '../support/manual-clock.ts';

const KEY = 'key-of-the-test-0123456789';

type Reply = (
  request: IncomingMessage,
  url: URL,
) => { readonly status?: number; readonly body: unknown };

/** A vendor's server, and a reader of its lists on a clock that stands still. */
async function startVendor(reply: Reply) {
  const asked: { readonly url: URL; readonly headers: IncomingMessage['headers'] }[] = [];
  const server = await startLocalServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://vendor');
    asked.push({ url, headers: request.headers });
    const { status = 200, body } = reply(request, url);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const clock = new ManualClock();
  const guarded = createGuardedFetch({ allowPrivate: true, clock });
  const reader = new VendorListReader(guarded.fetch, clock);
  return {
    asked,
    clock,
    read: <Entry>(protocol: VendorListProtocol<Entry> | undefined, path = '') => {
      if (!protocol) throw new Error('no such list');
      const access = { apiKey: KEY, baseUrl: `${server.url}${path}` };
      return reader.read('voices', protocol, access, new AbortController().signal);
    },
    async [Symbol.asyncDispose]() {
      await guarded.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe('the voices that a vendor lists', () => {
  test('elevenlabs: every page, with language and gender from its labels', async () => {
    await using vendor = await startVendor((_request, url) => ({
      body: url.searchParams.has('next_page_token')
        ? { voices: [{ voice_id: 'b', name: 'Bert', labels: { gender: 'male' } }], has_more: false }
        : {
            voices: [
              {
                voice_id: 'a',
                name: 'Ada',
                labels: { gender: 'female', accent: 'british', language: 'en' },
                verified_languages: [{ language: 'de', locale: 'de-DE' }, { language: 'en' }],
              },
            ],
            has_more: true,
            next_page_token: 'second',
          },
    }));
    expect(await vendor.read(VOICE_LISTS.get('elevenlabs'))).toEqual([
      {
        id: 'a',
        name: 'Ada',
        languages: ['en', 'de-DE'],
        gender: 'female',
        description: 'british',
      },
      { id: 'b', name: 'Bert', languages: [], gender: 'male' },
    ]);
    expect(vendor.asked.map(({ url }) => url.pathname + url.search)).toEqual([
      '/v2/voices?page_size=100',
      '/v2/voices?page_size=100&next_page_token=second',
    ]);
    expect(vendor.asked[0]?.headers['xi-api-key']).toBe(KEY);
  });

  test('cartesia: by its cursor', async () => {
    await using vendor = await startVendor((_request, url) => ({
      body: url.searchParams.has('starting_after')
        ? { data: [{ id: 'v2', name: 'Two', language: 'de' }], has_more: false }
        : {
            data: [{ id: 'v1', name: 'One', gender: 'feminine', locales: [{ locale: 'en-GB' }] }],
            has_more: true,
          },
    }));
    expect(await vendor.read(VOICE_LISTS.get('cartesia'))).toEqual([
      { id: 'v1', name: 'One', languages: ['en-GB'], gender: 'female' },
      { id: 'v2', name: 'Two', languages: ['de'] },
    ]);
    expect(vendor.asked[1]?.url.searchParams.get('starting_after')).toBe('v1');
    expect(vendor.asked[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test('deepgram: those of its models that speak', async () => {
    const metadata = { accent: 'American', tags: ['feminine', 'clear'] };
    await using vendor = await startVendor(() => ({
      body: {
        stt: [{ name: 'nova-3' }],
        tts: [{ name: 'thalia', canonical_name: 'aura-2-thalia-en', languages: ['en'], metadata }],
      },
    }));
    expect(await vendor.read(VOICE_LISTS.get('deepgram'))).toEqual([
      {
        id: 'aura-2-thalia-en',
        name: 'Thalia',
        languages: ['en'],
        gender: 'female',
        description: 'American, clear',
      },
    ]);
  });
});

describe('the models that a vendor lists', () => {
  test('those that answer in text, without the prefix of a collection', async () => {
    const data = [{ id: 'models/gemini-3' }, { id: 'text-embedding-3' }, { id: 'tts-1' }, {}];
    await using vendor = await startVendor(() => ({ body: { data } }));
    expect(await vendor.read(MODEL_LISTS.get('google'), '/v1/')).toEqual(['gemini-3']);
    expect(vendor.asked[0]?.url.pathname).toBe('/v1/models');
  });

  test('anthropic signs in by its own header', async () => {
    await using vendor = await startVendor(() => ({ body: { data: [{ id: 'claude' }] } }));
    expect(await vendor.read(MODEL_LISTS.get('anthropic'))).toEqual(['claude']);
    expect(vendor.asked[0]?.headers).toMatchObject({ 'x-api-key': KEY });
  });

  test('azure signs in by its own header', async () => {
    await using vendor = await startVendor(() => ({ body: { data: [{ id: 'mine' }] } }));
    await vendor.read(MODEL_LISTS.get('azure-openai'));
    expect(vendor.asked[0]?.headers['api-key']).toBe(KEY);
  });
});

describe('a list', () => {
  const openai = MODEL_LISTS.get('openai');

  test('is kept for ten minutes', async () => {
    await using vendor = await startVendor(() => ({ body: { data: [{ id: 'gpt' }] } }));
    await vendor.read(openai);
    await vendor.read(openai);
    expect(vendor.asked).toHaveLength(1);
    await vendor.clock.advance(10 * 60_000);
    await vendor.read(openai);
    expect(vendor.asked).toHaveLength(2);
  });

  test('that is refused is an error without the key', async () => {
    await using vendor = await startVendor(() => ({
      status: 401,
      body: { error: { message: `Incorrect API key provided: ${KEY}` } },
    }));
    await expect(vendor.read(openai)).rejects.toMatchObject({
      class: 'auth',
      message: 'openai refused the credentials (401)',
    });
  });

  test.each(['{"data":', '<html>'])('that is %s is an error', async (body) => {
    await using vendor = await startVendor(() => ({ body }));
    await expect(vendor.read(openai)).rejects.toMatchObject({ code: 'bad_list' });
  });

  test('that never ends is cut off', async () => {
    const voices = Array.from({ length: 100 }, (_, i) => ({ voice_id: String(i), name: 'N' }));
    await using vendor = await startVendor(() => ({
      body: { voices, has_more: true, next_page_token: 'again' },
    }));
    expect(await vendor.read(VOICE_LISTS.get('elevenlabs'))).toHaveLength(1000);
    expect(vendor.asked).toHaveLength(10);
  });
});
