import type { Grammar } from './grammar.ts';
import type { Language } from './language.ts';
import { PhraseDecoder } from './phrase-decoder.ts';
import type { SoundSwallower } from './soundswallower-module.ts';

/** A decoder on loan to one speaker. */
export interface Slot {
  readonly language: Language;
  readonly decoder: PhraseDecoder;
  grammar: Grammar | undefined;
  busy: boolean;
}

interface Waiting {
  readonly language: Language;
  readonly grammar: Grammar;
  readonly grant: (slot: Slot) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * The decoders of one thread. Each takes about 16 MB, so they are lent to callers during speech, not for the whole
 * call.
 */
export class Slots {
  readonly #module: SoundSwallower;
  readonly #max: number;
  readonly #slots: Slot[] = [];
  #creating = 0;
  /** Its length is bounded by the number of open streams. */
  readonly #waiting: Waiting[] = [];

  constructor(module: SoundSwallower, max: number) {
    this.#module = module;
    this.#max = max;
  }

  /** Creates the first decoder and loads this grammar, so that the first words do not wait for it. */
  async warm(language: Language, grammar: Grammar): Promise<void> {
    const slot = this.#findFree(language, grammar);
    if (slot?.grammar === grammar) return;
    if (slot || this.#slots.length + this.#creating < this.#max) {
      this.release(await this.acquire(language, grammar));
    }
  }

  /** Lends a decoder with `grammar`; if all are lent, waits for the next one returned. */
  acquire(language: Language, grammar: Grammar): Promise<Slot> {
    const { promise, resolve, reject } = Promise.withResolvers<Slot>();
    this.#waiting.push({ language, grammar, grant: resolve, fail: reject });
    this.#serve();
    return promise;
  }

  /** Frees the decoders. Nobody may hold one. */
  delete(): void {
    for (const { decoder } of this.#slots.splice(0)) decoder.delete();
  }

  release(slot: Slot): void {
    slot.busy = false;
    this.#serve();
  }

  #serve(): void {
    while (this.#waiting.length > 0) {
      const next = this.#waiting[0] as Waiting;
      const slot = this.#findFree(next.language, next.grammar);
      if (!slot && !this.#mayCreate(next.language)) return;
      this.#waiting.shift();
      if (slot) slot.busy = true;
      else this.#creating++;
      this.#lend(next, slot).then(next.grant, next.fail);
    }
  }

  async #lend({ language, grammar }: Waiting, free: Slot | undefined): Promise<Slot> {
    const slot = free ?? (await this.#create(language));
    try {
      await slot.decoder.use(grammar);
      slot.grammar = grammar;
      return slot;
    } catch (error) {
      slot.grammar = undefined;
      this.release(slot);
      throw error;
    }
  }

  async #create(language: Language): Promise<Slot> {
    try {
      const decoder = await PhraseDecoder.create(this.#module, language);
      const slot: Slot = { language, decoder, grammar: undefined, busy: true };
      this.#slots.push(slot);
      return slot;
    } finally {
      this.#creating--;
    }
  }

  #mayCreate(language: Language): boolean {
    if (this.#slots.length + this.#creating < this.#max) return true;
    // All decoders are for other languages: a free one is replaced.
    const other = this.#slots.findIndex((slot) => !slot.busy && slot.language !== language);
    if (other < 0) return false;
    const [slot] = this.#slots.splice(other, 1);
    slot?.decoder.delete();
    return true;
  }

  /** A decoder that already has the grammar, else the one idle longest. */
  #findFree(language: Language, grammar: Grammar): Slot | undefined {
    const free = this.#slots.filter((slot) => !slot.busy && slot.language === language);
    return free.find((slot) => slot.grammar === grammar) ?? free[0];
  }
}
