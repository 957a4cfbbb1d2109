import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wavHeader } from '../../src/audio/wav-header.ts';
import { newCallId } from '../../src/lib/ids.ts';
import { createCall, updateCall } from '../../src/store/calls.ts';
import { upsertMessages } from '../../src/store/messages.ts';
import { createTeam } from '../../src/store/teams.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { chromiumPath } from '../support/chromium-flags.ts';
import { type ConsoleApi, startConsoleApi } from '../support/console-api.ts';
import { ConsolePage } from '../support/console-page.ts';
import { insertManyCalls } from '../support/many-calls.ts';
import { checkPage } from '../support/page-check.ts';
import { type TestDatabase, testDatabase } from '../support/postgres.ts';

const title = chromiumPath
  ? 'a day of two thousand calls'
  : 'a day of two thousand calls (skipped: no Chromium is installed)';
const HOUR_MS = 3_600_000;
const RATE_HZ = 8000;

/** Ten seconds of a loud tone on both sides. */
function recording(): Buffer {
  const pcm = Int16Array.from({ length: 2 * 10 * RATE_HZ }, (_, i) =>
    Math.round(12_000 * Math.sin((2 * Math.PI * 440 * (i >> 1)) / RATE_HZ)),
  );
  return Buffer.concat([
    wavHeader({ sampleRateHz: RATE_HZ, channels: 2, dataBytes: pcm.byteLength }),
    Buffer.from(pcm.buffer),
  ]);
}

describe.skipIf(!chromiumPath)(title, () => {
  const wav = recording();
  let database: TestDatabase;
  let api: ConsoleApi;

  beforeAll(async () => {
    database = await testDatabase('embedded');
    api = await startConsoleApi(database.db, {
      recordings: {
        size: async (path) => (path === 'there.wav' ? wav.length : undefined),
        open: (_path, { first, last }) => Readable.from([wav.subarray(first, last + 1)]),
        link: async () => undefined,
      },
    });
  });
  afterAll(async () => {
    await api.close();
    await database.close();
  });

  test('yesterday’s three failed calls are found in five clicks, heard, understood, noted and exported', {
    timeout: 180_000,
  }, async () => {
    const { db } = database;
    const { id: teamId } = await createTeam(db, { name: 'Ada' });
    const client = await api.client(teamId);
    const noon = new Date().setHours(12, 0, 0, 0) - 24 * HOUR_MS;
    await insertManyCalls(db, {
      ...{ teamId, calls: 2000, everyMs: 30_000 },
      lastAt: new Date(noon + 8 * HOUR_MS),
    });
    const fail = async (startMs: number, customerName: string) => {
      const id = newCallId('phone');
      const startAt = new Date(startMs);
      await createCall(db, {
        ...{ id, teamId, callType: 'phone', direction: 'inbound', snapshot: callSnapshot },
        ...{ startAt, customerName, userNumber: '+4930555' },
      });
      await updateCall(db, {
        ...{ teamId, id },
        change: {
          ...{ status: 'finished', answeredAt: startAt, endAt: new Date(startMs + 10_000) },
          ...{ endReason: 'model-failed', endTrigger: 'assistant', settled: true },
          failure: { code: 'llm_http_401', message: 'the key was refused', provider: 'openai' },
          recording: {
            path: 'there.wav',
            sampleRateHz: RATE_HZ,
            durationMs: 10_000,
            bytes: wav.length,
          },
        },
      });
      const said = { messageId: 'u1', role: 'user', text: 'Hello? Is anybody there?', at: 2000 };
      await upsertMessages(db, { teamId, callId: id, messages: [said as never] });
    };
    await fail(noon + 1000, 'Mary Anning');
    await fail(noon - 2 * HOUR_MS, 'Ada Lovelace');
    await fail(noon + 3 * HOUR_MS, 'Grace Hopper');
    await fail(noon - 48 * HOUR_MS, 'Of another day');

    await using view = await ConsolePage.open(api.url);
    const { page } = view;
    await view.signIn(client.key);
    let clicks = 0;
    const click = async (selector: string) => {
      clicks++;
      await page.click(selector);
    };
    const callers = () =>
      page
        .locator('#calls tbody th .calls-who')
        .evaluateAll((cells) => cells.map((cell) => cell.firstChild?.textContent?.trim()));
    await click('nav >> text=Calls');
    await view.untilText('.pager', 'of 2004');
    await click('.calls-chips >> text=Yesterday');
    await click('.calls-chips >> text=Failed');
    const newestFirst = ['Grace Hopper', 'Mary Anning', 'Ada Lovelace'];
    await expect.poll(callers).toEqual(newestFirst);
    await checkPage(view, { name: 'calls-yesterday-failed' });
    await click('#calls tbody tr:first-child a');
    // Why.
    await view.untilText('.callout', 'the key was refused');
    await view.untilText('.call-line[data-role=user]', 'Is anybody there?');
    await page.waitForSelector('#play:enabled');
    await click('#play');
    await view.untilText('.player-position', /0:0[1-9]/);
    expect(clicks).toBe(5);

    await page.click('text=Mark as reviewed');
    await view.untilText('.review-bar', 'Reviewed');
    await page.fill('#new-tag', 'key refused');
    await page.click('text=Add tag');
    await view.untilText('.review-tags', 'key refused');
    await page.click('[role=tab]:has-text("Notes")');
    await page.fill('#new-note', 'The key had expired. Renewed.');
    await page.click('text=Add note');
    await view.untilText('.notes', 'The key had expired. Renewed.');
    await view.untilText('[role=tab]', 'Notes (1)');
    await checkPage(view, { name: 'call-reviewed' });

    // The next one of the same list, not of all calls.
    await page.click('text=Next call');
    await view.untilText('h1', 'Mary Anning');
    await page.click('text=Next call');
    await view.untilText('h1', 'Ada Lovelace');
    await expect.poll(() => page.locator('text=Next call').count()).toBe(0);
    await page.click('text=Previous call');
    await view.untilText('h1', 'Mary Anning');

    await page.click('.page-back');
    await expect.poll(callers).toEqual(newestFirst);
    await page.click('text=Columns');
    await page.click('dialog label:has-text("Tags")');
    await page.click('dialog label:has-text("Reviewed")');
    await checkPage(view, { name: 'calls-columns' });
    await page.click('dialog >> text=Done');
    await view.untilText('#calls td[data-label=Tags]', 'key refused');

    await page.click('text=Export');
    const saved = page.waitForEvent('download');
    await page.click('text=Table, as CSV');
    const csv = await buffer(await (await saved).createReadStream());
    const rows = parse(csv, { columns: true }) as Record<string, string>[];
    expect(rows.map(({ customerName }) => customerName)).toEqual(newestFirst);
    expect(rows[0]).toMatchObject({
      ...{ tags: 'key refused', endReason: 'model-failed' },
      failure: expect.stringContaining('the key was refused'),
      notes: expect.stringContaining('The key had expired. Renewed.'),
    });

    await page.click('.calls-chips >> text=Not reviewed');
    await expect.poll(callers).toEqual(['Mary Anning', 'Ada Lovelace']);
    // Whoever gets the address sees the same list, once signed in.
    const address = page.url();
    await using colleague = await ConsolePage.open(api.url, {
      at: address.split('#')[1] as string,
    });
    await colleague.signIn(client.key);
    await colleague.untilText('#calls tbody', 'Mary Anning');
    await expect.poll(() => colleague.page.locator('#calls tbody tr').count()).toBe(2);
  });
});
