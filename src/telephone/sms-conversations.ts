import { describeHistory, rememberedConversations } from '../calls/history.ts';
import { templateVariables } from '../calls/variables.ts';
import { applyOverrides } from '../contract/apply-overrides.ts';
import type { AssistantConfig } from '../contract/assistant.ts';
import type { JobAttempt, JobHandler, JobKind } from '../jobs/job-sender.ts';
import { ProviderError } from '../lib/errors.ts';
import type { CarrierEvent } from '../ports/carrier.ts';
import { findVersion } from '../store/assistant-versions.ts';
import { findNumber } from '../store/numbers.ts';
import { findTeam } from '../store/teams.ts';
import { findAnswer, findLastReceived, settleText } from '../store/text-answers.ts';
import {
  createText,
  hasOptedOut,
  listTexts,
  setTextOptOut,
  type TextRecord,
  updateTextStatus,
} from '../store/texts.ts';
import type { TelephoneDeps } from './deps.ts';
import { type NumberLine, openNumberLine } from './number-line.ts';
import { textContext, writeReply } from './text-reply.ts';

type Received = Extract<CarrierEvent, { type: 'text-received' }>;
type Reported = Extract<CarrierEvent, { type: 'text-status' }>;

const REPLY_MS = 60_000;
const MAX_HISTORY = 40;
/** How long a conversation by text is remembered if the assistant keeps no history. */
const CONVERSATION_MS = 24 * 3600 * 1000;
const DAY_MS = 24 * 3600 * 1000;
const ANSWERS_AT_ONCE = 32;

type SmsConversationsDeps = Pick<
  TelephoneDeps,
  'db' | 'clock' | 'log' | 'jobs' | 'carriers' | 'checkAssistant'
> & { readonly providers: Pick<TelephoneDeps['providers'], 'forAssistant'> };

interface Correspondence {
  readonly teamId: string;
  readonly numberId: string;
  readonly userNumber: string;
}

/** One job answers all texts that the correspondent has sent so far. */
const answerText: JobKind<Correspondence> = {
  name: 'answer-text',
  timeoutMs: 75_000,
  retries: 6,
  retryDelayMs: 2_000,
  maxRetryDelayMs: 120_000,
};

const STOP_WORDS = new Set([
  'stop',
  'stopall',
  'unsubscribe',
  'cancel',
  'end',
  'quit',
  'optout',
  'revoke',
]);
const START_WORDS = new Set(['start', 'unstop', 'yes']);

/** Answers text messages as the number's assistant, one answer at a time for each correspondent. */
export class SmsConversations {
  readonly #deps: SmsConversationsDeps;

  /** Must be created before the jobs start. */
  constructor(deps: SmsConversationsDeps) {
    this.#deps = deps;
    const handle: JobHandler<Correspondence> = (who, attempt) => this.#answer(who, attempt);
    deps.jobs.work(answerText, handle, { concurrency: ANSWERS_AT_ONCE });
  }

  /** Stores a received text and, in the same transaction, the job that answers it. */
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
        // The carrier sends the confirmation.
        await setTextOptOut(tx, { ...who, optedOut: word === 'stop' });
        log.info({ number: numberId, word }, 'a correspondent opted out of texts or in again');
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

  async #answer(who: Correspondence, attempt: JobAttempt): Promise<void> {
    const { db } = this.#deps;
    if ((await findTeam(db, who))?.suspendedAt) return;
    const number = await findNumber(db, { teamId: who.teamId, id: who.numberId });
    const line = number && (await openNumberLine(this.#deps, number));
    if (!line?.account.sendText) return;
    const last = await findLastReceived(db, who);
    if (!last) return;
    const written = await findAnswer(db, { numberId: who.numberId, answersTo: last.id });
    // A queued answer without the carrier's id was left by an earlier attempt.
    const isOver = written && (written.status !== 'queued' || written.carrierMessageId !== null);
    if (isOver || (await hasOptedOut(db, who))) return;
    if (written) {
      // The earlier attempt may have been cut off after the carrier accepted the text. Sending twice is better than never.
      const about = { number: who.numberId, text: written.id };
      this.#deps.log.warn(about, 'a text is sent again and may arrive twice');
    }
    const answer = written ?? (await this.#write(line, who, last.id, attempt.signal));
    // The correspondent may have opted out meanwhile.
    if (!answer || (await hasOptedOut(db, who))) return;
    await this.#send(line, answer, attempt);
  }

  async #write(
    line: NumberLine,
    who: Correspondence,
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
    // Texts are in the history already.
    const calls = await rememberedConversations(
      db,
      { ...persistHistory, sms: false },
      { teamId, assistantId, userNumber, before: new Date(clock.now()) },
    );
    const variables = templateVariables(
      {
        assistant: assistant.config,
        variables: assistant.variables,
        userNumber,
        assistantNumber: number,
      },
      clock.now(),
    );
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

  /** Sends the stored answer, so that an attempt after a crash sends the same text. */
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
      this.#deps.log.error(
        { number: number.id, err: error },
        'a text message could not be answered',
      );
    }
  }

  /** The assistant that answers texts to this number; undefined if none does. */
  async #assistantOf({
    number: { teamId, assistantId, assistantVersion },
  }: NumberLine): Promise<
    | { readonly config: AssistantConfig; readonly variables: Readonly<Record<string, string>> }
    | undefined
  > {
    if (assistantId === null) return undefined;
    const version = { teamId, id: assistantId, name: assistantVersion ?? '' };
    const found = await findVersion(this.#deps.db, version);
    const checked = found && this.#deps.checkAssistant(found.config);
    if (!checked?.ok || !checked.value.smsConfiguration.enabled) return undefined;
    const { assistant, variables } = applyOverrides(checked.value);
    return { config: assistant, variables };
  }
}

/** True if the carrier refused the text for now. After a timeout, it may have accepted it. */
function wasNotTaken(error: unknown): boolean {
  return error instanceof ProviderError && (error.class === 'rate' || error.class === 'silent');
}

/** What a text asks for that consists of nothing but an opt-out or opt-in word. */
export function readOptOutWord(
  text: string,
  { hasOptedOut }: { readonly hasOptedOut: boolean },
): 'stop' | 'start' | undefined {
  const word = text.toLowerCase().replace(/[\s.!-]/g, '');
  if (STOP_WORDS.has(word)) return 'stop';
  // "Yes" opts in only after an opt-out; otherwise it is an ordinary answer.
  return START_WORDS.has(word) && (hasOptedOut || word !== 'yes') ? 'start' : undefined;
}
