import type { CallConsent } from '../../contract/recording-consent.ts';
import type { CallBatch, CallStore } from '../../ports/call-store.ts';
import type { JournalLine } from '../../ports/journal.ts';
import type { ConsentedRecording, RecordingConsent } from '../../ports/recording-consent.ts';
import { consentIn } from './consent-words.ts';

interface Options {
  /** What is said before the recording. */
  readonly announcement: string;
  /** Nothing is recorded before somebody has agreed in words. */
  readonly ask: boolean;
  readonly onRefusal: 'delete' | 'cut';
  /** BCP 47 tags of the call. */
  readonly languages: readonly string[];
}

/**
 * Lets a call be recorded once the announcement was heard, and ends that from the word on with which it is refused.
 * Without a voice that has said the announcement, nothing is recorded.
 */
export class ConsentWatch implements RecordingConsent {
  readonly #options: Options;
  readonly #utterances = new Map<number, string>();
  readonly #judged = new Map<string, string>();
  #heard = '';
  #recording: ConsentedRecording | undefined;
  #state: CallConsent['state'] | undefined;
  /** Beginning of the caller's speech since their last message. */
  #speechAt: number | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  attach(recording: ConsentedRecording): void {
    this.#recording = recording;
  }

  /** A store that lets this watch see what it gets. */
  over(store: CallStore): CallStore {
    return {
      ...(store.hurry ? { hurry: () => store.hurry?.() } : {}),
      write: async (batch) => {
        this.#see(batch);
        await store.write(batch);
      },
    };
  }

  #see({ lines, messages }: CallBatch): void {
    for (const line of lines) this.#hear(line);
    for (const { messageId, role, text, at } of messages) {
      if (role !== 'user' || this.#judged.get(messageId) === text) continue;
      this.#judged.set(messageId, text);
      this.#judge(text, this.#speechAt ?? at);
      this.#speechAt = undefined;
    }
  }

  #hear({ type, at, data }: JournalLine): void {
    const uttId = Number(data.uttId);
    if (type === 'tts.start') this.#utterances.set(uttId, String(data.text));
    if (type === 'stt.final') this.#speechAt ??= Number(data.startAt);
    if (type !== 'play.finished' || this.#state) return;
    this.#heard += `${this.#utterances.get(uttId) ?? ''} `;
    if (plain(this.#heard).includes(plain(this.#options.announcement)))
      this.#become('announced', at);
  }

  #judge(text: string, at: number): void {
    if (this.#state === 'refused') return;
    const { ask, languages } = this.#options;
    const isAnswer = ask && this.#state === 'announced';
    const said = consentIn(text, languages, isAnswer);
    if (said) this.#become(said, at);
  }

  #become(state: CallConsent['state'], atMs: number): void {
    this.#state = state;
    const { ask, onRefusal } = this.#options;
    this.#recording?.tell({ state, atMs });
    if (state === 'refused') this.#recording?.end(onRefusal === 'delete' ? 0 : atMs);
    else if (state === 'accepted' || !ask) this.#recording?.begin();
  }
}

/** Letters and digits alone: a text is cut into utterances and normalised for the voice. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');
