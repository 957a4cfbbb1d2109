import type { TranscriptMessage } from '../contract/call-journal.ts';
import { isRedacting, type RedactionSettings } from '../contract/redaction.ts';
import type { CallBatch, WebhookUpdateLine } from '../ports/call-store.ts';
import type { JournalLine } from '../ports/journal.ts';
import type { SoundPart } from '../ports/redaction.ts';
import type { AnalyseTask, KnownValue, TextFindings, TextToAnalyse } from './analyse-texts.ts';
import { Conversation } from './conversation.ts';
import { maskedBy, textsOf, withTexts } from './line-texts.ts';
import { hasNumbers } from './number-kinds.ts';
import { SoundTimes } from './sound-times.ts';
import { mergeSpans, type Span } from './span.ts';

interface Deps {
  readonly settings: RedactionSettings;
  /** BCP 47 tags of the call. */
  readonly languages: readonly string[];
  /** Rejects if it could not judge. */
  readonly analyse: (task: AnalyseTask) => Promise<readonly TextFindings[]>;
  /** A service that finds more, asked about texts without what was found before. Rejects if it could not judge. */
  readonly askService?: (
    texts: readonly string[],
    language: string,
  ) => Promise<readonly (readonly Span[])[]>;
  /** A name or number that is known before the call. */
  readonly known?: readonly KnownValue[];
  /** Called when nothing could judge, and texts were withheld. */
  readonly onWithheld: (error: unknown) => void;
}

/** Of the caller's speech before a segment, to see what it goes on with. */
const PREFIX_CHARS = 300;
/** Messages of an earlier process that are looked at. */
const MAX_RECALLED = 50;

/**
 * Takes out of a call's record what its assistant's owner does not want to keep, before the record is written. Where it
 * cannot be told what a text holds, nothing of the text is kept.
 */
export class CallRedactor {
  readonly #deps: Deps;
  readonly #conversation = new Conversation();
  readonly #sound = new SoundTimes();
  readonly #known: KnownValue[];
  readonly #onLine: ((line: JournalLine) => void)[] = [];
  readonly #saidBefore = { 'stt.final': '', 'supervisor.said': '' };
  #shownSeq = -1;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#known = [...(deps.known ?? [])];
  }

  /** Gets each line as it is kept. */
  onLine(listener: (line: JournalLine) => void): void {
    this.#onLine.push(listener);
  }

  /** The batch as it is to be kept. Batches come in order; one that the store refused comes again. */
  async redact(batch: CallBatch): Promise<CallBatch> {
    const isOver = batch.patch.settled === true || batch.patch.endAt !== undefined;
    for (const message of batch.messages) this.#conversation.set(message);
    const { texts, take } = this.#conversation.questions();
    const ofLines = batch.lines.map((line) => ({ line, texts: this.#ask(line) }));
    const asked = [...texts, ...ofLines.flatMap((of) => of.texts)];
    const findings = await this.#analyse(asked);
    take(findings, isOver);
    let next = texts.length;
    const lines = ofLines.map(({ line, texts: own }) => {
      const found = findings.slice(next, next + own.length);
      next += own.length;
      return this.#redactLine(line, own, found);
    });
    this.#show(lines);
    const messages = this.#conversation.changed();
    return {
      ...batch,
      lines,
      messages,
      ...(batch.webhookUpdates
        ? { webhookUpdates: batch.webhookUpdates.map((update) => this.#redactUpdate(update)) }
        : {}),
    };
  }

  /**
   * Learns the last messages that another process has stored, as they were: a number may have begun in them. The service
   * is not asked, since a caller waits.
   */
  async recall(messages: readonly TranscriptMessage[]): Promise<void> {
    for (const message of messages.slice(-MAX_RECALLED)) {
      this.#conversation.set(message);
      const { texts, take } = this.#conversation.questions();
      take(await this.#analyse(texts, { isServiceAsked: false }), false);
      this.#conversation.changed();
    }
    this.stored();
  }

  /** The last batch is stored: it does not come again. */
  stored(): void {
    this.#conversation.stored();
  }

  /** The texts without what is to be taken out. */
  async mask(texts: readonly string[]): Promise<readonly string[]> {
    const findings = await this.#analyse(texts.map((text) => ({ text })));
    return texts.map((text, i) => maskedBy(text, findings[i]?.spans ?? []).masked);
  }

  /** The parts of the call's sound that are to be taken out, as far as its record has been redacted. */
  soundParts(): readonly SoundPart[] {
    return this.#sound.parts((text) => this.#conversation.isHarmless(text));
  }

  /** A batch that the store refused comes again, and a listener has seen its lines. */
  #show(lines: readonly JournalLine[]): void {
    for (const line of lines.filter(({ seq }) => seq > this.#shownSeq))
      for (const listener of this.#onLine) listener(line);
    this.#shownSeq = Math.max(this.#shownSeq, ...lines.map(({ seq }) => seq));
  }

  #ask(line: JournalLine): readonly TextToAnalyse[] {
    const by = line.type === 'stt.interim' ? 'stt.final' : line.type;
    const isSpeech = by === 'stt.final' || by === 'supervisor.said';
    const prefix = isSpeech ? this.#saidBefore[by] : '';
    const context = by === 'stt.final' ? this.#conversation.lastQuestion : '';
    if (isSpeech && line.type === by)
      this.#saidBefore[by] = `${prefix}\n${String(line.data.text)}`.slice(-PREFIX_CHARS);
    return textsOf(line).map(({ text, unfinished }) => ({ text, unfinished, prefix, context }));
  }

  #redactLine(
    line: JournalLine,
    asked: readonly TextToAnalyse[],
    found: readonly TextFindings[],
  ): JournalLine {
    const numbers = hasNumbers(this.#deps.settings.kinds);
    if (line.type === 'call.created') {
      const created = withTexts(line, masksOf(asked, found));
      return { ...created, data: { ...created.data, redacted: this.#deps.settings.originals } };
    }
    if (line.type === 'dtmf' && numbers) {
      this.#sound.take(line, []);
      return { ...line, data: { ...line.data, digit: '*' } };
    }
    const spans = found.map((one) => one.spans);
    this.#sound.take(line, spans);
    if (asked.length === 0) return line;
    const masked = asked.map(({ text }, i) => {
      const ofMessage = this.#conversation.spansOf(text) ?? [];
      return maskedBy(text, mergeSpans([...(spans[i] ?? []), ...ofMessage]));
    });
    return withTexts(line, masked);
  }

  #redactUpdate(update: WebhookUpdateLine): WebhookUpdateLine {
    const { message } = update;
    if (!message) return update;
    const text = this.#conversation.masked(message.messageId) ?? '[withheld]';
    return { ...update, message: { ...message, text } };
  }

  async #analyse(
    texts: readonly TextToAnalyse[],
    { isServiceAsked = true } = {},
  ): Promise<readonly TextFindings[]> {
    const { settings, languages, analyse, onWithheld } = this.#deps;
    if (texts.length === 0 || !isRedacting(settings)) return texts.map(() => NOTHING);
    const { kinds, words } = settings;
    try {
      const known = [...this.#known];
      const findings = await analyse({ languages, kinds, words, known, texts });
      for (const { values } of findings) this.#learn(values);
      return isServiceAsked ? await this.#withService(texts, findings) : findings;
    } catch (error) {
      onWithheld(error);
      return texts.map(({ text }) => withheld(text));
    }
  }

  async #withService(
    texts: readonly TextToAnalyse[],
    findings: readonly TextFindings[],
  ): Promise<readonly TextFindings[]> {
    const { askService, languages, settings, onWithheld } = this.#deps;
    if (!askService) return findings;
    try {
      const masked = texts.map(({ text }, i) => maskedBy(text, findings[i]?.spans ?? []).masked);
      const more = await askService(masked, languages[0] ?? 'en');
      return findings.map((finding, i) => {
        const own = (more[i] ?? []).map((span) => inOriginal(span, finding.spans));
        return { ...finding, spans: mergeSpans([...finding.spans, ...own]) };
      });
    } catch (error) {
      onWithheld(error);
      return settings.service.onFailure === 'rules'
        ? findings
        : texts.map(({ text }) => withheld(text));
    }
  }

  #learn(values: readonly KnownValue[]): void {
    for (const { label, value } of values)
      if (!this.#known.some((one) => one.label === label && one.value === value))
        this.#known.push({ label, value });
  }
}

const NOTHING: TextFindings = { spans: [], values: [] };

const withheld = (text: string): TextFindings => ({
  spans: text === '' ? [] : [{ start: 0, end: text.length, label: 'withheld' }],
  values: [],
});

const masksOf = (asked: readonly TextToAnalyse[], found: readonly TextFindings[]) =>
  asked.map(({ text }, i) => maskedBy(text, found[i]?.spans ?? []));

/** A span of the masked text, where it was in the text; labels that it reaches into are covered whole. */
function inOriginal(span: Span, spans: readonly Span[]): Span {
  const place = (at: number, edge: 'start' | 'end'): number => {
    let shift = 0;
    for (const { start, end, label } of spans) {
      const shownAt = start + shift;
      const shownEnd = shownAt + label.length + 2;
      if (at <= shownAt) break;
      if (at < shownEnd) return edge === 'start' ? start : end;
      shift += label.length + 2 - (end - start);
    }
    return at - shift;
  };
  return { start: place(span.start, 'start'), end: place(span.end, 'end'), label: span.label };
}
