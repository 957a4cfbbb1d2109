import { expect, test } from 'vitest';
import { createFairFetch } from '../../src/lib/fair-fetch.ts';
import type { OutboundFetch, OutboundResponse } from '../../src/lib/guarded-fetch.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** A fetch whose response bodies the test may or may not read. */
function rig() {
  const clock = new ManualClock();
  const sent: string[] = [];
  const fetch: OutboundFetch = async (url) => {
    sent.push(url);
    if (url === 'broken') throw new Error('broken');
    async function* body() {
      yield new Uint8Array(1);
    }
    return { status: 200, url, headers: {}, body: body(), cancel: () => undefined };
  };
  const fair = createFairFetch(fetch, { inFlight: 3, inFlightPerTeam: 2, waitingPerTeam: 2 });
  const ask = (url: string, team: string, signal = new AbortController().signal) =>
    fair(url, { team, signal });
  return { clock, sent, ask };
}

async function read({ body }: OutboundResponse): Promise<void> {
  for await (const _ of body);
}

test('a team has its share in flight, the others theirs; a body that is read makes room', async () => {
  const { clock, sent, ask } = rig();
  const first = ask('e1', 'eve');
  const others = ['e2', 'e3', 'e4'].map((url) => ask(url, 'eve'));
  void ask('a1', 'ada');
  await clock.advance(0);
  expect(sent).toEqual(['e1', 'e2', 'a1']);
  await expect(ask('e5', 'eve')).rejects.toMatchObject({
    code: 'busy',
    message: '2 requests of this team are waiting already',
  });
  await read(await first);
  await clock.advance(0);
  expect(sent).toEqual(['e1', 'e2', 'a1', 'e3']);
  (await others[0])?.cancel();
  await clock.advance(0);
  expect(sent.at(-1)).toBe('e4');
});

test('an abort gives the place back, before and after the answer, and so does a failure', async () => {
  const { clock, sent, ask } = rig();
  const stop = new AbortController();
  await ask('e1', 'eve', stop.signal);
  await expect(ask('broken', 'eve')).rejects.toThrow('broken');
  await ask('e2', 'eve');
  const waiting = ask('e3', 'eve', stop.signal);
  const last = ask('e4', 'eve');
  await clock.advance(0);
  expect(sent).toEqual(['e1', 'broken', 'e2']);
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  await last;
  expect(sent.at(-1)).toBe('e4');
});
