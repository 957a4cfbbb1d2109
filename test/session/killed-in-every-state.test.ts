import { afterAll, describe, expect, test } from 'vitest';
import { Call, type EngineSnapshot } from '../../src/engine/machine/call.ts';
import type { CallCommand, StampedCommand } from '../../src/engine/machine/commands.ts';
import type { StampedEvent } from '../../src/engine/machine/events.ts';
import { findDifferences, replayJournal } from '../../src/engine/machine/replay.ts';
import { CONSTANTS } from '../../src/engine/settings/constants.ts';
import type { CallSettings } from '../../src/engine/settings/settings.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { Random } from '../bench/turns/random.ts';
import { isLong, runs, testSeed } from '../support/effort.ts';
import { readJournals } from '../support/journal-fixtures.ts';
import { cutsOf, type KilledCall, killAfter } from '../support/killed-call.ts';
import fc from '../support/properties.ts';
import { conversation, converse } from '../support/random-conversation.ts';
import { StateHits } from '../support/state-hits.ts';

const SEED = testSeed(25);
/** Cuts in each state of each region, where not every line is one. */
const CUTS_IN_A_STATE = 6;
const CONVERSATIONS = runs({ usual: 8, long: 300 });
const CUTS_OF_A_CONVERSATION = runs({ usual: 6, long: 12 });
/** No reply of these calls takes longer. */
const LONGEST_REPLY_MS = 30_000;
const GAPS_MS = [120, 600, 1500, 6000];

const hits = new StateHits();
/** Replies whose text was compared to the word. */
let taken = 0;

const placesOf = ({ chart }: EngineSnapshot) =>
  Object.entries(chart).map(([region, state]) => `${region}.${state}`);

interface Cut {
  readonly name: string;
  readonly lines: readonly JournalLine[];
  readonly after: number;
  /** The call there, by the engine that had it all the time. */
  readonly left: EngineSnapshot;
}

/** Every place at which a journal can end, and the call there. */
function everyCut(name: string, lines: readonly JournalLine[]): readonly Cut[] {
  const ends = new Set(cutsOf(lines));
  const settings = lines[0]?.data.settings as CallSettings;
  const call = new Call({ settings });
  const cuts = lines.flatMap((line, after) => {
    if (line.kind === 'command') call.advanceTo(line.at);
    if (line.kind === 'event')
      call.dispatch({ ...line.data, type: line.type, seq: line.seq, at: line.at } as StampedEvent);
    return ends.has(after)
      ? [{ name, lines, after, left: structuredClone(call.snapshot) } satisfies Cut]
      : [];
  });
  call.stop();
  return cuts;
}

/** All cuts, or some in each state. */
function chosen(cuts: readonly Cut[], chance: Random): readonly Cut[] {
  if (isLong) return cuts;
  const byState = new Map<string, Cut[]>();
  for (const cut of cuts)
    for (const place of placesOf(cut.left))
      byState.set(place, [...(byState.get(place) ?? []), cut]);
  const some = [...byState.values()].flatMap((all) =>
    Array.from({ length: Math.min(CUTS_IN_A_STATE, all.length) }, () => chance.pick(all)),
  );
  return [...new Set(some)];
}

const idsOf = <
  Type extends CallCommand['type'],
  Id extends keyof Extract<CallCommand, { type: Type }>,
>(
  commands: readonly StampedCommand[],
  type: Type,
  id: Id,
) => commands.flatMap((command) => (command.type === type ? [command[id as never]] : []));

const areUnique = (ids: readonly unknown[], when: string) =>
  expect(ids.toSorted(), when).toEqual([...new Set(ids)].toSorted());

/** Nothing that touches the world is done twice, by either process. */
function happenedOnce({ found, commandsBefore, commandsAfter }: KilledCall, when: string): void {
  const all = [...commandsBefore, ...commandsAfter];
  const reads = new Set(
    found.state.settings.tools
      .filter(({ readOnly }) => readOnly)
      .map(({ definition }) => definition.name),
  );
  areUnique(
    all.flatMap((c) => (c.type === 'tool.invoke' && !reads.has(c.name) ? [c.toolCallId] : [])),
    when,
  );
  areUnique(idsOf(all, 'leg.dial', 'legId'), when);
  areUnique(idsOf(all, 'leg.hangup', 'legId'), when);
  areUnique(idsOf(all, 'tts.start', 'uttId'), when);
  areUnique(idsOf(all, 'play.start', 'uttId'), when);
  areUnique(
    all.flatMap((c) => (c.type === 'transcript.append' ? [c.message.messageId] : [])),
    when,
  );
  expect(
    all.filter(({ type }) => type === 'finish'),
    when,
  ).toHaveLength(1);
  expect(all.filter(({ type }) => type === 'hangup').length, when).toBeLessThanOrEqual(1);
  expect(all.at(-1)?.type, when).toBe('finish');
  const answered = all.filter((c) => c.type === 'status' && c.status === 'ongoing');
  expect(answered.length, when).toBeLessThanOrEqual(1);
}

/** What was left to say of the reply is said from the last word that is known to be heard, and nothing else of it. */
function tookUpReply(
  { found, commandsAfter, journal }: KilledCall,
  gapMs: number,
  when: string,
): void {
  const { assistant, user, tools, transfer } = found.state;
  const { reply } = assistant;
  const isPlain =
    reply?.text.name === 'complete' &&
    reply.phase.name === 'heard' &&
    found.chart.lifecycle === 'ongoing' &&
    found.chart.assistant === 'speaking' &&
    found.chart.user === 'silent' &&
    !user.turn &&
    !assistant.muted &&
    !transfer.current &&
    tools.awaited.length + tools.async.length === 0 &&
    reply.utterances.every(
      ({ stage, brokeOff, filler }) => stage !== 'failed' && !brokeOff && !filler,
    );
  if (!isPlain) return;
  // The call's own limit may fall into the reply.
  const endAt = journal.findLast(({ type }) => type === 'finish')?.at ?? 0;
  if (endAt < found.now + gapMs + LONGEST_REPLY_MS) return;
  const wordsOf = (text: string) => text.trim().split(/\s+/).filter(Boolean);
  const heard = reply.utterances.flatMap(({ stage, text, words, playedMs }) => {
    const all = wordsOf(text);
    if (stage === 'done') return all;
    if (stage !== 'playing') return [];
    return all.slice(
      0,
      words.filter(({ startMs, endMs }) => playedMs >= (startMs + endMs) / 2).length,
    );
  });
  const whole = reply.utterances.flatMap(({ text }) => wordsOf(text));
  const left = reply.utterances.filter(({ stage }) => stage !== 'done').length;
  // R4: after a gap that the caller noticed, a sentence comes first.
  const first = gapMs >= CONSTANTS.gapWithoutWordsMs ? 1 : 0;
  const said = idsOf(commandsAfter, 'tts.start', 'text')
    .slice(first, first + left)
    .flatMap(wordsOf);
  const rest = whole.slice(heard.length);
  expect(said.slice(0, rest.length), `${when}: ${whole.join(' ')}`).toEqual(rest);
  taken++;
}

function goesOn(cut: Cut, { gapMs, callerGoesOn }: { gapMs: number; callerGoesOn: boolean }) {
  const when = `${cut.name}, killed after line ${cut.after}, back after ${gapMs} ms, caller ${callerGoesOn ? 'goes on' : 'is silent'} (TEST_SEED=${SEED})`;
  const killed = killAfter(cut.lines, cut.after, { gapMs, callerGoesOn });
  hits.add(killed.found.chart);
  // Data, states and every deadline are those of the process that died.
  const { now: _, ...left } = JSON.parse(JSON.stringify(cut.left)) as EngineSnapshot;
  expect(JSON.parse(JSON.stringify(killed.found)), when).toMatchObject(left);
  happenedOnce(killed, when);
  if (!callerGoesOn) tookUpReply(killed, gapMs, when);
  expect(findDifferences(replayJournal(killed.journal), 1), when).toEqual([]);
  return killed.journal;
}

describe('a call whose process is killed', () => {
  const chance = new Random(SEED);
  /** The caller of a reply that sounds says nothing more in one run, and goes on in another. */
  const inBothWays = (cut: Cut): readonly JournalLine[] => {
    const gapMs = chance.pick(GAPS_MS);
    const callerGoesOn = cut.left.chart.assistant !== 'speaking' && chance.chance(0.5);
    if (cut.left.chart.assistant === 'speaking') goesOn(cut, { gapMs, callerGoesOn: true });
    return goesOn(cut, { gapMs, callerGoesOn });
  };

  test('goes on from every state of the statechart: nothing is done twice, no deadline is lost', () => {
    const cuts = readJournals().flatMap(([name, lines]) => everyCut(name, lines));
    for (const [i, cut] of chosen(cuts, chance).entries()) {
      const journal = inBothWays(cut);
      // Its next process is killed too: before the caller was back, and anywhere.
      if (i % 4 > 0) continue;
      const later = everyCut(`${cut.name} taken over at ${cut.after}`, journal).filter(
        ({ after }) => after > cut.after,
      );
      const away = later.find(({ left }) => left.chart.media === 'away');
      if (away) inBothWays(away);
      if (later.length > 0) inBothWays(chance.pick(later));
    }
    expect(hits.missing).toEqual([]);
  }, 3_600_000);

  test(`goes on from anywhere in ${CONVERSATIONS} random conversations`, () => {
    for (const [i, said] of fc
      .sample(conversation, { seed: SEED, numRuns: CONVERSATIONS })
      .entries()) {
      const { journal, call } = converse(said);
      call.stop();
      const cuts = everyCut(`conversation ${i}`, journal);
      for (let n = 0; n < CUTS_OF_A_CONVERSATION; n++) inBothWays(chance.pick(cuts));
    }
    expect(taken).toBeGreaterThan(5);
  }, 3_600_000);

  afterAll(() => {
    console.info(
      `killed in each state (TEST_SEED=${SEED}), ${taken} replies compared to the word\n${hits.table()}`,
    );
  });
});
