import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CallCommand } from '../../src/engine/machine/commands.ts';
import { briefingSettings } from '../../src/engine/transfer/briefing.ts';
import { OperatorBriefing } from '../../src/session/operator/operator-briefing.ts';
import { Ticker } from '../../src/session/ticker.ts';
import { callSettings } from '../support/call-settings.ts';
import { levelVad } from '../support/level-vad.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryLeg } from '../support/memory-leg.ts';
import { ScriptedLlm, type ScriptedReply } from '../support/scripted-llm.ts';
import { ScriptedStt } from '../support/scripted-stt.ts';
import { ScriptedTts } from '../support/scripted-tts.ts';

const SUMMARY = 'A caller asks for a table for two people tonight, can you take the call now?';
const ACCEPT: ScriptedReply = { toolCalls: [{ id: 'd1', name: 'accept', arguments: '{}' }] };

let clock: ManualClock;
let ticker: Ticker;
let stt: ScriptedStt;
let tts: ScriptedTts;
let leg: MemoryLeg;
let commands: CallCommand[];
let invoked: string[];
let briefing: OperatorBriefing;
let onCommand: (command: CallCommand) => void;

/** Begins to brief an operator, whose line answers marks or never does. */
async function brief({
  answers = true,
  replies = [ACCEPT] as readonly ScriptedReply[],
  mode = 'conversational' as 'announced' | 'conversational',
} = {}) {
  clock = new ManualClock(1_700_000_000_000);
  ticker = new Ticker(clock);
  stt = new ScriptedStt();
  tts = new ScriptedTts(clock);
  leg = new MemoryLeg({ clock, answers });
  const caller = callSettings();
  briefing = new OperatorBriefing({
    init: {
      ...{ callId: 'WC-1', settings: caller, voice: {}, model: {} },
      recognition: { languages: ['en-US', 'fr-CA'], hints: ['Parley'], phrases: ['a table'] },
    },
    deps: {
      ...{ clock, ticker, stt, tts, vad: levelVad },
      llm: new ScriptedLlm(clock, replies),
      tools: {
        async invoke({ name }) {
          invoked.push(name);
          return { ok: true, result: '' };
        },
      },
      store: { write: async () => undefined },
      keepUnsaved: async () => undefined,
      log: {
        ...{ debug: () => undefined, info: () => undefined },
        ...{ warn: () => undefined, error: () => undefined },
      },
    },
    leg,
    settings: briefingSettings({ ...caller, transfer: { ...caller.transfer, mode } }, SUMMARY),
    onCommand: (command) => onCommand(command),
    onUsage: () => undefined,
    onCrash: (error) => {
      throw error;
    },
    onUnexpected: (error) => {
      throw error;
    },
  });
  leg.onMark = (name) => briefing.mark(name);
  leg.onCleared = (playedMs) => briefing.cleared(playedMs);
  await clock.advance(0);
}

async function hear(ms: number, level: number): Promise<void> {
  for (let at = 0; at < ms; at += 20) {
    await clock.advance(20);
    briefing.audio(new Int16Array(320).fill(level));
  }
}

const sentMs = () => leg.sent.reduce((sum, { pcm }) => sum + pcm.length / 16, 0);
const named = (type: CallCommand['type']) => commands.filter((command) => command.type === type);

beforeEach(() => {
  commands = [];
  invoked = [];
  onCommand = (command) => void commands.push(command);
});

afterEach(() => {
  briefing.close();
  expect(ticker.size).toBe(0);
  expect(clock.nextDueAt()).toBeUndefined();
});

test('[X4] what the operator answers is heard, and their decision is told, not carried out', async () => {
  await brief();
  await hear(4000, 0);
  expect(sentMs()).toBe(16 * 200);
  expect(stt.line.writtenMs).toBe(4000);
  expect(stt.line.options.phrases).toContain('oui passez le moi');
  expect(stt.line.options.phrases).not.toContain('a table');
  await hear(600, 4000);
  expect(stt.line.edges).toEqual(['started']);
  stt.line.final('Yes, put them through.');
  await hear(2000, 0);
  expect(named('tool.invoke')).toMatchObject([{ name: 'accept' }]);
  expect(invoked).toEqual([]);
});

test('whoever closes it as it decides hears nothing more of it', async () => {
  await brief();
  onCommand = (command) => {
    commands.push(command);
    if (command.type === 'tts.start') briefing.close();
  };
  await hear(4000, 0);
  expect(named('tts.start')).toHaveLength(1);
  expect(tts.texts).toEqual([]);
  expect(sentMs()).toBe(0);
  expect(stt.line.closed).toBe(true);
});

test('closed, it neither hears, nor says, nor decides anything, though its line is back', async () => {
  await brief();
  await hear(500, 0);
  briefing.close();
  briefing.close();
  const before = { sent: sentMs(), heard: stt.line.writtenMs, commands: commands.length };
  briefing.resumed(leg);
  await hear(60_000, 4000);
  expect({ sent: sentMs(), heard: stt.line.writtenMs, commands: commands.length }).toEqual(before);
});

test('a line that is lost is sent nothing, and from there on once it is back', async () => {
  await brief();
  await hear(1000, 0);
  briefing.lost();
  leg.break();
  const before = sentMs();
  await hear(1000, 0);
  expect(sentMs()).toBe(before);
  briefing.resumed(leg);
  await hear(4000, 0);
  // What was on its way when the line broke is said again.
  expect(sentMs()).toBeGreaterThanOrEqual(16 * 200);
  await hear(600, 4000);
  stt.line.final('Yes, put them through.');
  await hear(2000, 0);
  expect(named('tool.invoke')).toHaveLength(1);
});

test.each([
  ['as soon as its line says so', true, 3500],
  ['a moment later where its line says nothing', false, 3600],
])('[X4] an announcement is over when it was heard, %s', async (_what, answers, overAtMs) => {
  await brief({ answers, mode: 'announced' });
  const begin = clock.now();
  let overMs: number | undefined;
  onCommand = ({ type }) => {
    if (type === 'finish') overMs = clock.now() - begin;
  };
  await hear(5000, 0);
  expect(overMs).toBe(overAtMs);
});

test.each([
  [0, 1200],
  [300, 1000],
])(
  '[H1] a summary held by a noise goes on from the word that the line says was heard, %d ms before the clock says',
  async (lessMs, fromMs) => {
    await brief();
    leg.onCleared = (playedMs) => briefing.cleared(playedMs - lessMs);
    await hear(1400, 0);
    await hear(300, 4000);
    const before = sentMs();
    expect(leg.clears).toHaveLength(1);
    await hear(4000, 0);
    expect(sentMs() - before).toBe(16 * 200 - fromMs);
  },
);
