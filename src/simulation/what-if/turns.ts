import type { TranscriptMessage, TurnMetrics } from '../../contract/call-journal.ts';
import type { Turn } from '../../contract/what-if.ts';
import type { JournalLine } from '../../ports/journal.ts';
import { type CallerAct, callerActs } from './caller-acts.ts';
import type { RecordedAnswers } from './recorded-answers.ts';
import { type AssistantSpan, RecordedPlayout } from './recorded-playout.ts';

/** A caller who goes on this soon after the assistant began was not done. */
const CUT_IN_MS = 1000;

interface Sources {
  readonly acts: readonly CallerAct[];
  readonly spans: readonly AssistantSpan[];
  readonly lost: readonly number[];
  readonly cutInsAt: ReadonlySet<number>;
  readonly answers: RecordedAnswers;
}

/** The turns of a call by its journal, in order. `cutInsAt`: cut-ins that nothing in the journal shows. */
export function turnsOf(
  lines: readonly JournalLine[],
  answers: RecordedAnswers,
  cutInsAt: ReadonlySet<number>,
): readonly Turn[] {
  const endMs = lines.at(-1)?.at ?? 0;
  const messages = transcriptOf(lines);
  const starts = messages.filter(({ role }) => role === 'user').map(({ at }) => at);
  const metrics = lines
    .filter(({ kind, type }) => kind === 'command' && type === 'turn.metrics')
    .map(({ at, data }) => ({ at, ...(data.metrics as TurnMetrics) }));
  const playout = new RecordedPlayout();
  for (const line of lines) playout.take(line);
  const spans = playout.end(endMs).spans;
  const sources = {
    acts: callerActs(lines),
    spans,
    lost: lostReplies(lines, playout, answers),
    answers,
    cutInsAt,
  };
  const bounds = [Math.min(0, ...starts), ...starts];
  return bounds.flatMap((fromMs, i) => {
    const toMs = bounds[i + 1] ?? endMs + 1;
    if (i === 0 && toMs <= fromMs) return [];
    const within = <Item extends { readonly at: number }>(items: readonly Item[]) =>
      items.filter(({ at }) => at >= fromMs && at < toMs);
    const said = (role: string) =>
      within(messages)
        .filter((message) => message.role === role)
        .map(({ text }) => text)
        .join(' ');
    const answerMs = within(metrics)[0]?.totalMs;
    const turn = { fromMs, toMs, user: said('user'), assistant: said('assistant') };
    if (i === 0 && turn.assistant === '') return [];
    return [
      { ...turn, ...(answerMs === undefined ? {} : { answerMs }), ...whatHappened(turn, sources) },
    ];
  });
}

function whatHappened(
  { fromMs, toMs, user }: Pick<Turn, 'fromMs' | 'toMs' | 'user'>,
  { acts, spans, lost, answers, cutInsAt }: Sources,
): Pick<Turn, 'tools' | 'cutIn' | 'lost'> {
  const isWithin = (at: number) => at >= fromMs && at < toMs;
  const speech = acts.filter(({ kind }) => kind === 'speech');
  const cutIn = (at: number) =>
    speech.some(({ from, to }) => (from < at && at < to) || (from >= at && from < at + CUT_IN_MS));
  return {
    tools: [...answers.tools.values()]
      .filter(({ at }) => isWithin(at))
      .map(({ name, arguments: given, answer }) => ({
        name,
        arguments: given,
        ...(answer === undefined
          ? { outcome: 'unanswered' as const, text: '' }
          : 'result' in answer
            ? { outcome: 'result' as const, text: answer.result }
            : { outcome: 'error' as const, text: answer.error }),
      })),
    cutIn:
      [...cutInsAt].some(isWithin) ||
      (user !== '' && spans.some(({ from }) => isWithin(from) && cutIn(from))),
    lost: lost.some(isWithin),
  };
}

/** When the replies began whose end the caller did not hear. */
function lostReplies(
  lines: readonly JournalLine[],
  playout: RecordedPlayout,
  { generations, utterances }: RecordedAnswers,
): readonly number[] {
  const ordered = lines
    .filter(({ type }) => type === 'play.start')
    .map(({ data }) => Number(data.uttId));
  const cut = ordered.flatMap((uttId) =>
    playout.finished.has(uttId) ? [] : (utterances.get(uttId)?.at ?? []),
  );
  const spoken = new Set(ordered.map((uttId) => utterances.get(uttId)?.text));
  const unheard = [...generations.values()].filter(({ speculative, parts }) => {
    const texts = parts.flatMap((part) => (part.type === 'text' ? part.text : []));
    return !speculative && texts.length > 0 && !texts.some((text) => spoken.has(text));
  });
  return [...cut, ...unheard.map(({ at }) => at)];
}

/** The messages as the transcript ends up with them, in the order in which they began. */
function transcriptOf(lines: readonly JournalLine[]): readonly TranscriptMessage[] {
  const messages = new Map<string, TranscriptMessage>();
  for (const { kind, type, data } of lines) {
    if (kind !== 'command') continue;
    const appended = data.message as TranscriptMessage | undefined;
    if (type === 'transcript.append' && appended) messages.set(appended.messageId, appended);
    if (type !== 'transcript.patch') continue;
    const message = messages.get(String(data.messageId));
    if (message) messages.set(message.messageId, { ...message, text: String(data.text) });
  }
  return [...messages.values()].toSorted((a, b) => a.at - b.at);
}
