import { describeHistory, rememberedConversations } from '../call-history.ts';
import { applyOverrides } from '../contract/apply-overrides.ts';
import type { AssistantConfig } from '../contract/assistant.ts';
import type { CarrierEvent } from '../ports/carrier.ts';
import { findAssistant } from '../store/assistants.ts';
import {
  createText,
  hasOptedOut,
  listTexts,
  setTextOptOut,
  updateTextStatus,
} from '../store/texts.ts';
import type { TelephoneDeps } from './deps.ts';
import type { NumberLine } from './number-account.ts';
import { readOptOutWord } from './opt-out-words.ts';
import { textContext, writeReply } from './text-reply.ts';

type Received = Extract<CarrierEvent, { type: 'text-received' }>;
type Reported = Extract<CarrierEvent, { type: 'text-status' }>;

const REPLY_MS = 60_000;
const MAX_HISTORY = 40;
/** A conversation by text without history to keep is over after so long. */
const CONVERSATION_MS = 24 * 3600 * 1000;
const DAY_MS = 24 * 3600 * 1000;
const MAX_CONVERSATIONS = 1000;

/** One correspondent whose texts are being answered. */
interface Conversation {
  readonly line: NumberLine;
  readonly userNumber: string;
  /** Something came in while the last answer was being written. */
  isBehind: boolean;
}

/** Answers texts as the number's assistant, one answer at a time for each correspondent. */
export class TextDesk {
  readonly #deps: TelephoneDeps;
  readonly #closed = new AbortController();
  readonly #conversations = new Map<string, Conversation>();
  readonly #work = new Set<Promise<void>>();

  constructor(deps: TelephoneDeps) {
    this.#deps = deps;
  }

  /** Keeps the text; the answer follows on its own. */
  async received(line: NumberLine, event: Received): Promise<void> {
    const { db, log } = this.#deps;
    const { teamId, id: numberId, assistantId } = line.number;
    const userNumber = event.from;
    const who = { teamId, numberId, userNumber };
    const kept = await createText(db, {
      ...who,
      assistantId,
      role: 'user',
      text: event.text,
      status: 'received',
      carrierMessageId: event.messageId,
    });
    if (!kept) return;
    const optedOut = await hasOptedOut(db, who);
    const word = readOptOutWord(event.text, { hasOptedOut: optedOut });
    if (word) {
      // The carrier confirms these itself.
      await setTextOptOut(db, { ...who, optedOut: word === 'stop' });
      log.info({ number: numberId, word }, 'a correspondent used a key word');
      return;
    }
    if (!optedOut) this.#answer(line, userNumber);
  }

  async status(line: NumberLine, { messageId, status }: Reported): Promise<void> {
    const { teamId, id: numberId } = line.number;
    const report = { teamId, numberId, carrierMessageId: messageId, status };
    await updateTextStatus(this.#deps.db, report);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.allSettled(this.#work);
  }

  #answer(line: NumberLine, userNumber: string): void {
    const key = `${line.number.id} ${userNumber}`;
    const busy = this.#conversations.get(key);
    if (busy) {
      busy.isBehind = true;
      return;
    }
    if (this.#conversations.size >= MAX_CONVERSATIONS) {
      this.#deps.log.warn({ number: line.number.id }, 'too many texts at once: one is unanswered');
      return;
    }
    const conversation = { line, userNumber, isBehind: false };
    this.#conversations.set(key, conversation);
    const done = this.#answerAll(conversation)
      .catch((error: unknown) => {
        if (this.#closed.signal.aborted) return;
        this.#deps.log.error({ number: line.number.id, err: error }, 'a text is unanswered');
      })
      .finally(() => {
        this.#conversations.delete(key);
        this.#work.delete(done);
      });
    this.#work.add(done);
  }

  async #answerAll(conversation: Conversation): Promise<void> {
    do {
      conversation.isBehind = false;
      await this.#answerOnce(conversation);
    } while (conversation.isBehind);
  }

  async #answerOnce({ line, userNumber }: Conversation): Promise<void> {
    const { db, clock } = this.#deps;
    const { teamId, id: numberId, number, assistantId } = line.number;
    const assistant = await this.#assistantOf(line);
    if (!assistant || assistantId === null || !line.account.sendText) return;
    const { persistHistory } = assistant.config;
    const { enabled, sms, retentionPeriod } = persistHistory;
    const rememberMs = enabled && sms ? retentionPeriod * DAY_MS : CONVERSATION_MS;
    const who = { teamId, numberId, userNumber };
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
    const signal = AbortSignal.any([this.#closed.signal, AbortSignal.timeout(REPLY_MS)]);
    const { llm } = this.#deps.providers.forAssistant(assistant.config, { teamId, assistantId });
    const text = await writeReply(
      llm,
      textContext(assistant.config, variables, history, describeHistory(calls)),
      {
        temperature: assistant.config.assistantTemperature,
        maxTokens: assistant.config.assistantMaxTokens,
        cacheKey: assistantId,
        signal,
      },
    );
    // They may have said "stop" meanwhile.
    if (text === '' || (await hasOptedOut(db, who))) return;
    await this.#send(line, { ...who, assistantId, text, signal });
  }

  async #send(
    line: NumberLine,
    reply: {
      readonly teamId: string;
      readonly numberId: string;
      readonly userNumber: string;
      readonly assistantId: string;
      readonly text: string;
      readonly signal: AbortSignal;
    },
  ): Promise<void> {
    const { signal, ...kept } = reply;
    const message = { from: line.number.number, to: reply.userNumber, text: reply.text };
    const written = { ...kept, role: 'assistant' } as const;
    try {
      const carrierMessageId = await line.account.sendText?.(message, signal);
      const id = carrierMessageId === undefined ? {} : { carrierMessageId };
      await createText(this.#deps.db, { ...written, status: 'queued', ...id });
    } catch (error) {
      await createText(this.#deps.db, { ...written, status: 'failed' });
      throw error;
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
