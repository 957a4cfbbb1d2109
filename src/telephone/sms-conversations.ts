import { describeHistory, rememberedConversations } from '../calls/history.ts';
import { applyOverrides } from '../contract/apply-overrides.ts';
import type { AssistantConfig } from '../contract/assistant.ts';
import type { JobAttempt, JobHandler } from '../jobs/job-sender.ts';
import { ProviderError } from '../lib/errors.ts';
import type { CarrierEvent } from '../ports/carrier.ts';
import { findAssistant } from '../store/assistants.ts';
import { findNumber } from '../store/numbers.ts';
import { findAnswer, findLastReceived, settleText } from '../store/text-answers.ts';
import {
  createText,
  hasOptedOut,
  listTexts,
  setTextOptOut,
  type TextRecord,
  updateTextStatus,
} from '../store/texts.ts';
import { answerText } from './answer-text.ts';
import type { TelephoneDeps } from './deps.ts';
import { type NumberLine, openNumberLine } from './number-account.ts';
import { readOptOutWord } from './opt-out-words.ts';
import { textContext, writeReply } from './text-reply.ts';

type Received = Extract<CarrierEvent, { type: 'text-received' }>;
type Reported = Extract<CarrierEvent, { type: 'text-status' }>;

const REPLY_MS = 60_000;
const MAX_HISTORY = 40;
/** A conversation by text without history to keep is over after so long. */
const CONVERSATION_MS = 24 * 3600 * 1000;
const DAY_MS = 24 * 3600 * 1000;
const ANSWERS_AT_ONCE = 32;

type SmsConversationsDeps = Pick<
  TelephoneDeps,
  'db' | 'clock' | 'log' | 'jobs' | 'carriers' | 'checkAssistant'
> & { readonly providers: Pick<TelephoneDeps['providers'], 'forAssistant'> };

type Who = NonNullable<(typeof answerText)['data']>;

/** Answers texts as the number's assistant, one answer at a time for each correspondent. */
export class SmsConversations {
  readonly #deps: SmsConversationsDeps;

  /** Before the jobs start. */
  constructor(deps: SmsConversationsDeps) {
    this.#deps = deps;
    const handle: JobHandler<Who> = (who, attempt) => this.#answer(who, attempt);
    deps.jobs.work(answerText, handle, { concurrency: ANSWERS_AT_ONCE });
  }

  /** Keeps the text, and with it that an answer is due. */
  async received(line: NumberLine, event: Received): Promise<void> {
    const { db, log, jobs } = this.#deps;
    const { teamId, id: numberId, assistantId } = line.number;
    const userNumber = event.from;
    const who = { teamId, numberId, userNumber };
    await db.transaction(async (tx) => {
      const kept = await createText(tx, {
        ...who,
        assistantId,
        role: 'user',
        text: event.text,
        status: 'received',
        carrierMessageId: event.messageId,
      });
      if (!kept) return;
      const optedOut = await hasOptedOut(tx, who);
      const word = readOptOutWord(event.text, { hasOptedOut: optedOut });
      if (word) {
        // The carrier confirms these itself.
        await setTextOptOut(tx, { ...who, optedOut: word === 'stop' });
        log.info({ number: numberId, word }, 'a correspondent used a key word');
        return;
      }
      const dedupeKey = `${numberId} ${userNumber}`;
      if (!optedOut) await jobs.send(tx, answerText, who, { dedupeKey });
    });
  }

  async status(line: NumberLine, { messageId, status }: Reported): Promise<void> {
    const { teamId, id: numberId } = line.number;
    const report = { teamId, numberId, carrierMessageId: messageId, status };
    await updateTextStatus(this.#deps.db, report);
  }

  async #answer(who: Who, attempt: JobAttempt): Promise<void> {
    const { db } = this.#deps;
    const number = await findNumber(db, { teamId: who.teamId, id: who.numberId });
    const line = number && (await openNumberLine(this.#deps, number));
    if (!line?.account.sendText) return;
    const last = await findLastReceived(db, who);
    if (!last) return;
    const written = await findAnswer(db, { numberId: who.numberId, answersTo: last.id });
    // One that is not at the carrier yet is what a former try left.
    const isOver = written && (written.status !== 'queued' || written.carrierMessageId !== null);
    if (isOver || (await hasOptedOut(db, who))) return;
    if (written) {
      // Cut off between the carrier's taking it and our keeping that; lost would be worse than twice.
      const about = { number: who.numberId, text: written.id };
      this.#deps.log.warn(about, 'a text is sent again and may arrive twice');
    }
    const answer = written ?? (await this.#write(line, who, last.id, attempt.signal));
    // They may have said "stop" meanwhile.
    if (!answer || (await hasOptedOut(db, who))) return;
    await this.#send(line, answer, attempt);
  }

  async #write(
    line: NumberLine,
    who: Who,
    answersTo: string,
    attemptSignal: AbortSignal,
  ): Promise<TextRecord | undefined> {
    const { db, clock } = this.#deps;
    const { teamId, userNumber } = who;
    const { number, assistantId } = line.number;
    const assistant = await this.#assistantOf(line);
    if (!assistant || assistantId === null) return undefined;
    const { persistHistory } = assistant.config;
    const { enabled, sms, retentionPeriod } = persistHistory;
    const rememberMs = enabled && sms ? retentionPeriod * DAY_MS : CONVERSATION_MS;
    const since = new Date(clock.now() - rememberMs);
    const history = await listTexts(db, { ...who, since, limit: MAX_HISTORY });
    // What was said by text is in the history already.
    const calls = await rememberedConversations(
      db,
      { ...persistHistory, sms: false },
      { teamId, assistantId, userNumber, before: new Date(clock.now()) },
    );
    const variables = {
      ...assistant.variables,
      'customer.number': userNumber,
      'assistant.number': number,
      now: new Date(clock.now()).toISOString(),
    };
    const { llm } = this.#deps.providers.forAssistant(assistant.config, { teamId, assistantId });
    const text = await writeReply(
      llm,
      textContext(assistant.config, variables, history, describeHistory(calls)),
      {
        temperature: assistant.config.assistantTemperature,
        maxTokens: assistant.config.assistantMaxTokens,
        cacheKey: assistantId,
        signal: AbortSignal.any([attemptSignal, AbortSignal.timeout(REPLY_MS)]),
      },
    );
    if (text === '') return undefined;
    const kept = { ...who, assistantId, role: 'assistant', text, status: 'queued' } as const;
    return createText(db, { ...kept, answersTo });
  }

  /** Sends what is kept already, so that a try after a crash says the same. */
  async #send(
    { account, number }: NumberLine,
    { id, userNumber, text }: TextRecord,
    { signal, last }: JobAttempt,
  ): Promise<void> {
    const { db } = this.#deps;
    const message = { from: number.number, to: userNumber, text };
    try {
      const carrierMessageId = await account.sendText?.(message, signal);
      await settleText(db, { id, status: 'queued', ...(carrierMessageId && { carrierMessageId }) });
    } catch (error) {
      if (signal.aborted || (!last && wasNotTaken(error))) throw error;
      await settleText(db, { id, status: 'failed' });
      this.#deps.log.error({ number: number.id, err: error }, 'a text is unanswered');
    }
  }

  /** The assistant that answers texts to this number, if one does. */
  async #assistantOf({
    number: { teamId, assistantId },
  }: NumberLine): Promise<
    | { readonly config: AssistantConfig; readonly variables: Readonly<Record<string, string>> }
    | undefined
  > {
    if (assistantId === null) return undefined;
    const found = await findAssistant(this.#deps.db, { teamId, id: assistantId });
    const checked = found && this.#deps.checkAssistant(found.config);
    if (!checked?.ok || !checked.value.smsConfiguration.enabled) return undefined;
    const { assistant, variables } = applyOverrides(checked.value);
    return { config: assistant, variables };
  }
}

/** Whether the carrier said that it would not take the text now; after a silence it may have it. */
function wasNotTaken(error: unknown): boolean {
  return error instanceof ProviderError && (error.class === 'rate' || error.class === 'silent');
}
