// @ts-check
const AUDIBLE_DB = -50;
/** Speech stands out from the room by this. */
const ABOVE_ROOM_DB = 12;
/** A silence within a reply is shorter. */
const REPLY_GAP_MS = 300;
const MIN_SPEECH_MS = 80;
/** Sooner than this nobody answers: it spoke into the caller's words. */
const CUT_IN_MS = 100;
/** An answer that comes later is an idle message, not an answer. */
const LONGEST_MS = 15_000;

/**
 * Times each answer by ear: from the end of what the microphone heard of the caller to the first audible
 * sample at the loudspeaker. Instants are of the audio clock.
 */
export class TurnTimer {
  /** @type {(latencyMs: number) => void} */ #onAnswer;
  #roomDb = -60;
  #speechMs = 0;
  #speechEndedAt = Number.NEGATIVE_INFINITY;
  #audibleUntil = Number.NEGATIVE_INFINITY;
  #lastAt = 0;

  /** @param {(latencyMs: number) => void} onAnswer */
  constructor(onAnswer) {
    this.#onAnswer = onAnswer;
  }

  /**
   * @param {number} db
   * @param {number} atMs end of the frame
   */
  heardCaller(db, atMs) {
    const frameMs = Math.min(100, Math.max(0, atMs - this.#lastAt));
    this.#lastAt = atMs;
    // The room is what is quiet: learnt quickly downwards, slowly upwards.
    this.#roomDb += (db - this.#roomDb) * (db < this.#roomDb ? 0.2 : 0.002);
    if (db < Math.max(AUDIBLE_DB, this.#roomDb + ABOVE_ROOM_DB)) return;
    if (atMs - this.#speechEndedAt > 1000) this.#speechMs = 0;
    this.#speechMs += frameMs;
    this.#speechEndedAt = atMs;
  }

  /**
   * @param {number} db
   * @param {number} atMs
   */
  heardAssistant(db, atMs) {
    if (db < AUDIBLE_DB) return;
    const begins = atMs - this.#audibleUntil > REPLY_GAP_MS;
    this.#audibleUntil = atMs;
    if (!begins || this.#speechMs < MIN_SPEECH_MS) return;
    const latencyMs = atMs - this.#speechEndedAt;
    this.#speechMs = 0;
    if (latencyMs >= CUT_IN_MS && latencyMs <= LONGEST_MS) this.#onAnswer(latencyMs);
  }
}
