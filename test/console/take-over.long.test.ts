import { describe, expect, test } from 'vitest';
import type { WebCaller } from '../../src/cli/web-caller.ts';
import { chromiumPath } from '../support/chromium-flags.ts';
import { ConsolePage } from '../support/console-page.ts';
import { eventually } from '../support/eventually.ts';
import { checkPage } from '../support/page-check.ts';
import { readRecording } from '../support/recordings.ts';
import { dial } from '../support/service-call.ts';
import { sharedService } from '../support/shared-service.ts';

const title = chromiumPath
  ? 'the wall of live calls'
  : 'the wall of live calls (skipped: no Chromium is installed)';
const SOON = { everyMs: 50 };
const VOICE = 'what-your-country-can-do.wav';

/** Samples since `from` that are as loud as a voice. */
const loudSince = ({ tracks }: WebCaller, from: number): number =>
  tracks.speaker.read(from).reduce((count, sample) => count + (Math.abs(sample) > 1000 ? 1 : 0), 0);

describe.skipIf(!chromiumPath)(title, () => {
  test('shows a call, takes it over by microphone so that the caller hears the person, and gives it back', {
    timeout: 240_000,
  }, async () => {
    await using service = await sharedService();
    // The built-in recogniser knows the phrases of knowledge bases.
    const { knowledge_bases: bases } = await service.json<{ knowledge_bases: { id: string }[] }>(
      '/kb/v1/knowledge-bases',
    );
    const quiet = await service.json<{ _id: string }>('/assistants/v1/assistants', {
      method: 'POST',
      body: {
        name: 'Quiet desk',
        assistantProvider: 'offline',
        welcomeMessage: '',
        welcomeMessageMode: 'assistant-waits-for-user',
        idleTimeout: 600,
        assistantPredefinedTools: { knowledgeBase: true },
        assistantKnowledgeBaseIds: bases.map(({ id: base }) => base),
      },
    });
    const customer = { name: 'Grace Hopper', number: '+12125550100' };
    const { caller, id } = await dial(service, { assistantId: quiet._id, customer });
    await using view = await ConsolePage.open(service.url, {
      at: '/live',
      // Again and again: nobody knows how long the page takes until it may speak.
      says: Array.from({ length: 20 }, () => VOICE),
    });
    const { page } = view;
    await view.signIn(service.key);
    await view.untilText('.live-card', 'Grace Hopper');
    await view.untilText('.live-card .badge', 'Live');
    await checkPage(view, { name: 'live-wall' });

    await page.click('.live-card >> text=Supervise');
    const before = caller.tracks.speaker.length;
    expect(loudSince(caller, 0)).toBe(0);
    await page.click('text=Take over by microphone');
    await view.untilText('.take-over [role=status]', 'The caller hears you.');
    // The assistant has said nothing in this call: what sounds is the person.
    await eventually(() => expect(loudSince(caller, before)).toBeGreaterThan(4000), SOON);
    await checkPage(view, { name: 'live-taken-over' });
    // And the person hears the caller.
    await caller.say(readRecording(VOICE, 16_000)).spoken;
    await view.untilLoudspeaker('audible');

    const refused = await fetch(`${service.url}/calls/v1/conversations/${id}/control`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'say', message: 'Hello.' }),
    });
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('speaks with the caller');

    await page.click('text=Give the call back');
    await page.waitForSelector('text=Take over by microphone');
    await page.fill('#supervise-text', 'The colleague is gone, and I am here again.');
    const after = caller.tracks.speaker.length;
    await page.click('text=Say to caller');
    await eventually(() => expect(loudSince(caller, after)).toBeGreaterThan(4000), SOON);

    caller.hangup();
    await caller.ended;
    caller.close();
    await eventually(async () => {
      const { endAt } = await service.json<{ endAt?: string }>(`/calls/v1/conversations/${id}`);
      expect(endAt).toBeDefined();
    }, SOON);
    const call = await service.json<{ messages: { role: string; text: string }[] }>(
      `/calls/v1/conversations/${id}`,
    );
    const notes = call.messages
      .filter(({ role, text }) => role === 'system' && !text.includes(' said to the caller: '))
      .map(({ text }) => text);
    expect(notes).toEqual([
      expect.stringMatching(/has taken over and speaks with the caller/),
      expect.stringMatching(/has spoken with the caller for \d+ s/),
    ]);
    // What they said is a third speaker's.
    const said = / said to the caller: /;
    const spoken = call.messages.filter(({ text }) => said.test(text));
    expect(spoken.map(({ text }) => text).join(' ')).toContain('your country can do for you');
    const log = await fetch(`${service.url}/calls/v1/conversations/${id}/events`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    const lines = (await log.text()).split('\n');
    for (const type of ['supervisor.join', 'supervisor.leave'])
      expect(lines.filter((line) => line.includes(`"type":"${type}"`))).toHaveLength(1);
    await page.goto(`${service.url}/console/#/calls/${id}`);
    await view.untilText('.call-line[data-role=supervisor]', 'your country can do for you');
    await checkPage(view, { name: 'call-taken-over' });
  });
});
