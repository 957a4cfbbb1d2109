import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { parseWav, type WavAudio } from '../../src/audio/parse-wav.ts';
import type { Call } from '../../src/contract/call.ts';
import { findDifferences, replayJournal } from '../../src/engine/machine/replay.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { SERVICE_KEY, type ServiceProcess } from './service-process.ts';

/** What an assistant that speaks English says after a gap that was noticed. */
export const BACK = 'Sorry, the line dropped for a moment.';

/**
 * `fetch` may still try connections to the process that was killed, and a call whose caller is on the way back has no
 * process for a moment (503), or one that still restores it (409): nothing was done on these.
 */
export async function ask<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await request();
    } catch (error) {
      const isPassing =
        error instanceof TypeError || /: 503 |The call is not live/.test(String(error));
      if (!isPassing || tries === 50) throw error;
      await delay(200);
    }
  }
}

export const read = (running: ServiceProcess, { id }: { readonly id: string }) =>
  ask(() => running.json<Call>(`/calls/v1/conversations/${id}`));

export async function journalOf(running: ServiceProcess, { id }: { readonly id: string }) {
  const response = await ask(() =>
    fetch(`${running.url}/calls/v1/conversations/${id}/events`, {
      headers: { authorization: `Bearer ${SERVICE_KEY}` },
    }),
  );
  const text = await response.text();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JournalLine);
}

const TOO_BUSY: readonly unknown[] = ['voice-error', 'playback-stalled'];

/** True for a call whose machine was too busy to speak or to play, which says nothing about what a new owner says. */
export const lacksVoice = (lines: readonly JournalLine[]): boolean =>
  lines.some(
    ({ type, data }) =>
      type === 'tts.failed' || (type === 'failure' && TOO_BUSY.includes(data.code)),
  );

/**
 * The record of a call that was taken over once and then ended by control: `said` is all that the assistant said, if that
 * is known, the journal has no gap and replays, and the recording is as long as the call.
 */
export async function isWhole(
  running: ServiceProcess,
  call: { readonly id: string },
  { said: expected, when }: { readonly said?: string; readonly when: string },
): Promise<WavAudio> {
  const record = await read(running, call);
  expect(record, when).toMatchObject({ status: 'finished', endReason: 'ended-by-control' });
  const said = record.messages.map(({ text }) => text).join(' ');
  const lines = await journalOf(running, call);
  if (expected !== undefined && !lacksVoice(lines))
    expect(said.replace(`${BACK} `, ''), when).toBe(expected);
  expect(
    lines.map(({ seq }) => seq),
    when,
  ).toEqual(lines.map((_, i) => i));
  expect(
    lines.filter(({ type }) => type === 'call.resumed'),
    when,
  ).toHaveLength(1);
  expect(
    lines.filter(({ type }) => type === 'finish'),
    when,
  ).toHaveLength(1);
  expect(findDifferences(replayJournal(lines)), when).toEqual([]);
  // It is there once its parts were joined, which the end of the call does not wait for.
  const recording = await vi.waitFor(
    async () => {
      const response = await fetch(`${running.url}/calls/v1/conversations/${call.id}/recording`, {
        headers: { authorization: `Bearer ${SERVICE_KEY}` },
      });
      expect(response.status, when).toBe(200);
      return response.arrayBuffer();
    },
    { timeout: 60_000, interval: 100 },
  );
  const audio = parseWav(new Uint8Array(recording));
  const { channels, sampleRateHz } = audio;
  const lengthMs = (channels[0].length / sampleRateHz) * 1000;
  const end = lines.find(({ type }) => type === 'finish')?.at ?? 0;
  expect(Math.abs(lengthMs - end), `${when}: ${lengthMs} ms recorded of ${end}`).toBeLessThan(700);
  return audio;
}

/**
 * Waits until the service has started as many processes anew as were killed. One that was only forked does not listen
 * yet: a kill of another would leave the calls without any.
 */
export async function haveComeBack(running: ServiceProcess, killed: number): Promise<void> {
  await expect
    .poll(() => running.output.split('a process of the service is back').length - 1, {
      timeout: 60_000,
    })
    .toBe(killed);
}

/** Ids of the worker processes of this one. */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  const pids = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
  const commands = await Promise.all(
    pids.map((child) => readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, i) => commands[i]?.includes('start.mjs')).map(Number);
}
