import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readChange, replayHere } from '../../src/cli/what-if.ts';
import { whatIfReport } from '../../src/cli/what-if-report.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { recordedConversation } from '../support/recorded-conversation.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'what-if-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function changeOf(text: string, options = { fail: [] as string[], caller: 'speaks-on' }) {
  const path = join(folder, 'patch.json');
  await writeFile(path, text);
  return readChange({ with: path, ...options });
}

test('a journal in a file is replayed with a patch of the assistant', async () => {
  const change = await changeOf('{"startSpeakingOptions":{"waitSeconds":1.5}}');
  const comparison = replayHere(recordedConversation(), change);
  expect(comparison).toMatchObject({ divergence: { what: 'play.start' }, notReplayed: [] });
  expect(comparison.replayed.gapP50Ms).toBe(1500);
  const text = whatIfReport(comparison);
  expect(text).toContain('where play.start differs');
  expect(text).toMatch(/simulated “When do you open\?” → “We open at nine\.” \(1500 ms\)/);
});

test('a patch that says what the settings say already changes nothing', async () => {
  const lines = recordedConversation();
  const settings = lines[0]?.data.settings as { startSpeaking: { waitMs: number } } | undefined;
  const waitSeconds = (settings?.startSpeaking.waitMs ?? 0) / 1000;
  const change = await changeOf(JSON.stringify({ startSpeakingOptions: { waitSeconds } }));
  expect(replayHere(lines, change).divergence).toBeNull();
  expect(whatIfReport(replayHere(lines, change))).toContain('nothing would have been otherwise');
});

test('what the model was asked is said with its price, and why no more was asked', async () => {
  const comparison = replayHere(recordedConversation(), await changeOf('{}'));
  const cost = { total: 0.04, currency: 'EUR', lines: [], unpriced: [] };
  const asked = { requests: 3, tokens: 1200, cost };
  expect(whatIfReport({ ...comparison, asked })).toContain(
    '\nthe model was asked 3 times, 1200 tokens, 0.04 EUR\n',
  );
  const stopped = { requests: 1, tokens: 10, stopped: 'the budget is used up' };
  expect(whatIfReport({ ...comparison, asked: stopped })).toContain(
    '\nthe model was asked once, 10 tokens; the budget is used up: what it was not asked is unknown\n',
  );
});

test('null gives a field its default back', async () => {
  const [head, ...rest] = recordedConversation();
  const settings = head?.data.settings as { startSpeaking: object };
  const slow = { ...settings, startSpeaking: { ...settings.startSpeaking, waitMs: 3000 } };
  const lines = [{ ...(head as JournalLine), data: { ...head?.data, settings: slow } }, ...rest];
  const toDefault = replayHere(
    lines,
    await changeOf('{"startSpeakingOptions":{"waitSeconds":null}}'),
  );
  const asRecorded = replayHere(recordedConversation(), await changeOf('{}'));
  expect(toDefault.replayed).toEqual(asRecorded.replayed);
});

test.each([
  ['{"startSpeakingOptions":{"waitSecond":1}}', 'startSpeakingOptions.waitSecond: unknown field'],
  ['{"idleTimeout":1}', 'idleTimeout: must be at least 5'],
  ['{', 'is no JSON'],
])('the patch %s is refused', async (text, fault) => {
  await expect(changeOf(text)).rejects.toThrow(fault);
});

test('a version of an assistant is told from a file by its form', async () => {
  const given = (text: string) => readChange({ with: text, fail: [], caller: 'waits' });
  expect(await given('a1b2@production')).toMatchObject({
    instead: { assistantId: 'a1b2', assistantVersion: 'production' },
  });
  expect(await given('a1b2@12')).not.toHaveProperty('assistant');
  const path = join(folder, 'me@home');
  await writeFile(path, '{"idleTimeout": 60}');
  expect(await given(path)).toMatchObject({ assistant: { idleTimeout: 60 } });
  await expect(given('me@home.json')).rejects.toThrow('cannot be read');
});

test('other options are checked too', async () => {
  await expect(
    readChange({ with: join(folder, 'none.json'), fail: [], caller: 'waits' }),
  ).rejects.toThrow('cannot be read');
  await expect(changeOf('{}', { fail: [], caller: 'shouts' })).rejects.toThrow(
    '--caller must be one of',
  );
  const { tools } = await changeOf('{}', { fail: ['look_up=no = no', 'book'], caller: 'waits' });
  expect(tools).toEqual({ look_up: { error: 'no = no' }, book: { error: 'the tool failed' } });
});
