import type { ConsentWatch } from '../../src/calls/consent/watch-consent.ts';
import type { TurnMetrics } from '../../src/contract/call-journal.ts';
import type { PartFailure } from '../../src/contract/failures.ts';
import { type RestoredCall, restoreCall } from '../../src/engine/machine/replay.ts';
import type { CallSettings } from '../../src/engine/settings/settings.ts';
import { finish } from '../../src/lib/steps.ts';
import type { CallBatch, CallPatch, CallStore } from '../../src/ports/call-store.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import type { TurnPredictor } from '../../src/ports/predictor.ts';
import type { Sounds } from '../../src/ports/sounds.ts';
import type { ToolRunner } from '../../src/ports/tool.ts';
import type { CallRedactor } from '../../src/redaction/call-redactor.ts';
import type { EarlierRecordings, RecordingFile } from '../../src/session/record/recorder.ts';
import { Session } from '../../src/session/session.ts';
import { Ticker } from '../../src/session/ticker.ts';
import { callSettings } from './call-settings.ts';
import { levelVad } from './level-vad.ts';
import { ManualClock } from './manual-clock.ts';
import { MemoryLeg } from './memory-leg.ts';
import { ScriptedLlm, type ScriptedReply } from './scripted-llm.ts';
import { ScriptedOperatorLine } from './scripted-operator.ts';
import { ScriptedStt } from './scripted-stt.ts';
import { ScriptedTts } from './scripted-tts.ts';

const FRAME = new Int16Array(320);
const VOICED = new Int16Array(320).fill(4000);

const defaults = callSettings();

export const testSettings: CallSettings = {
  ...defaults,
  systemPrompt: 'You are a test.',
  interruptionAck: { enabled: false, count: 0, words: 0, phrases: [] },
  idle: { timeoutMs: 10_000, maxMessages: 2, messages: ['Still there?'] },
  endCall: { enabled: true, message: 'Goodbye.', phrases: ['goodbye'], toolDescription: '' },
  sttP99Ms: 100,
  lines: {
    ...defaults.lines,
    apology: 'Sorry, that went wrong.',
    filler: 'One moment.',
    technicalFarewell: 'I have a technical problem. Goodbye.',
  },
};

interface RigOptions {
  /** Where the clock begins, ms since 1970. */
  readonly startsAtMs?: number;
  /** @defaultValue one that no store knows */
  readonly callId?: string;
  readonly settings?: Partial<CallSettings>;
  readonly replies?: readonly ScriptedReply[];
  readonly llm?: (clock: ManualClock) => ScriptedLlm;
  readonly tts?: (clock: ManualClock) => ScriptedTts;
  readonly tools?: ToolRunner;
  readonly predictor?: TurnPredictor;
  readonly recordingPath?: string;
  /** Creates the file of the recording. */
  readonly openRecording?: (path: string) => Promise<RecordingFile>;
  /** What the call begins without. */
  readonly missing?: readonly PartFailure[];
  /** Redacts the record; the sound gets a tone. */
  readonly redactor?: CallRedactor;
  readonly earlierRecordings?: EarlierRecordings;
  /** Decides when the call is recorded. */
  readonly consent?: ConsentWatch;
  readonly warm?: () => void;
  readonly sounds?: Sounds;
  readonly background?: { readonly url?: string; readonly volume: number };
  readonly bill?: () => Pick<CallPatch, 'usage' | 'cost'>;
  /** The journal of a process that died: the session takes the call over, once the test says so. */
  readonly goesOnFrom?: readonly JournalLine[];
  /** Openings of the recogniser that fail before one succeeds. */
  readonly sttFailures?: readonly Error[];
}

/** A whole session on virtual time: scripted providers, a far end in memory, a record to look at. */
export class SessionRig {
  readonly clock: ManualClock;
  readonly ticker: Ticker;
  readonly leg: MemoryLeg;
  readonly stt = new ScriptedStt();
  readonly llm: ScriptedLlm;
  readonly tts: ScriptedTts;
  readonly operators: ScriptedOperatorLine;
  readonly batches: CallBatch[] = [];
  readonly warnings: unknown[] = [];
  readonly session: Session;
  /** What `takenOver` is called with. */
  readonly restored: RestoredCall | undefined;
  storeAway = false;
  /** The call belongs to another process. */
  taken = false;

  constructor(options: RigOptions = {}) {
    this.clock = new ManualClock(options.startsAtMs ?? 1_700_000_000_000);
    this.ticker = new Ticker(this.clock);
    this.leg = new MemoryLeg({ clock: this.clock });
    this.operators = new ScriptedOperatorLine(this.clock);
    this.stt.failures = [...(options.sttFailures ?? [])];
    this.llm = options.llm?.(this.clock) ?? new ScriptedLlm(this.clock, options.replies ?? []);
    this.tts = options.tts?.(this.clock) ?? new ScriptedTts(this.clock);
    const settings = { ...testSettings, ...options.settings };
    const { redactor, consent, goesOnFrom } = options;
    this.restored = goesOnFrom && finish(restoreCall(goesOnFrom));
    const store = this.#store(redactor);
    this.session = new Session(
      {
        callId: options.callId ?? 'WC-test',
        settings: this.restored?.settings ?? settings,
        voice: {},
        model: {},
        recognition: { languages: settings.languages, hints: [], phrases: [] },
        ...(this.restored ? { restored: this.restored } : {}),
        ...(options.background ? { background: options.background } : {}),
        ...(options.missing ? { missing: options.missing } : {}),
        ...(options.recordingPath ? { recordingPath: options.recordingPath } : {}),
      },
      {
        clock: this.clock,
        ticker: this.ticker,
        llm: this.llm,
        stt: this.stt,
        tts: this.tts,
        vad: levelVad,
        operators: this.operators,
        ...(options.sounds ? { sounds: options.sounds } : {}),
        ...(options.predictor ? { predictor: options.predictor } : {}),
        ...(options.warm ? { warm: options.warm } : {}),
        ...(options.openRecording ? { openRecording: options.openRecording } : {}),
        ...(options.earlierRecordings ? { earlierRecordings: options.earlierRecordings } : {}),
        ...(consent ? { consent } : {}),
        ...(options.bill ? { bill: options.bill } : {}),
        tools: options.tools ?? { invoke: async () => ({ ok: true, result: '{}' }) },
        ...(redactor
          ? {
              redaction: {
                onLine: (listener) => redactor.onLine(listener),
                sound: { by: 'tone', parts: () => redactor.soundParts() },
              },
            }
          : {}),
        store: consent ? consent.over(store) : store,
        keepUnsaved: async (batch) => {
          this.batches.push(batch);
        },
        log: {
          debug: () => undefined,
          info: () => undefined,
          warn: (fields) => this.warnings.push(fields),
          error: (fields) => this.warnings.push(fields),
        },
      },
      this.leg,
    );
    this.leg.onMark = (name) => this.session.mark(name);
    this.leg.onCleared = (playedMs) => this.session.cleared(playedMs);
  }

  get lines(): readonly JournalLine[] {
    return this.batches.flatMap((batch) => batch.lines);
  }

  get turns(): readonly TurnMetrics[] {
    return this.batches.flatMap((batch) => batch.turns ?? []);
  }

  #store(redactor: CallRedactor | undefined): CallStore {
    return {
      write: async (given) => {
        const batch = redactor ? await redactor.redact(given) : given;
        if (this.taken) throw Object.assign(new Error('taken'), { code: 'call-taken' });
        if (this.storeAway) throw new Error('the store is away');
        this.batches.push(batch);
        redactor?.stored();
      },
    };
  }

  get record(): CallPatch {
    return Object.assign({}, ...this.batches.map((batch) => batch.patch));
  }

  /** The transcript as a read would show it: `role: text`. */
  get transcript(): readonly string[] {
    const messages = new Map(
      this.batches.flatMap((batch) =>
        batch.messages.map((message) => [message.messageId, message]),
      ),
    );
    return [...messages.values()].map(({ role, text }) => `${role}: ${text}`);
  }

  /** Commands of a type with their instants, from what was journalled so far. */
  commands(type: string): readonly JournalLine[] {
    return this.lines.filter((line) => line.kind === 'command' && line.type === type);
  }

  async silence(ms: number): Promise<void> {
    await this.#sound(ms, FRAME);
  }

  async voice(ms: number): Promise<void> {
    await this.#sound(ms, VOICED);
  }

  /** Speaks for `ms`; the recogniser has the final text `finalAfterMs` after the end of speech. */
  async speak(text: string, ms = 1000, finalAfterMs = 60): Promise<void> {
    await this.voice(ms);
    await this.silence(finalAfterMs);
    this.stt.line.final(text);
  }

  async #sound(ms: number, frame: Int16Array): Promise<void> {
    for (let elapsed = 0; elapsed < ms; elapsed += 20) {
      await this.clock.advance(20);
      this.session.audio(frame);
    }
  }
}
