import { rmsDb } from './level.ts';
import { gainFromDb } from './mix.ts';
import { LOOP_RMS_DB, type SoundLoop } from './sound-loop.ts';

const RATE_HZ = 16_000;
const BEAT_S = 0.375;
const BEATS_PER_CHORD = 8;

/** Each chord's four voices, low to high, in semitones from A4. */
const CHORDS: readonly (readonly number[])[] = [
  [-21, -14, -9, -5], // C major, add A
  [-24, -17, -12, -9], // A minor
  [-28, -16, -12, -9], // F major seventh
  [-26, -19, -14, -10], // G major
  [-21, -14, -9, -5],
  [-29, -17, -14, -9], // E minor seventh
  [-28, -16, -12, -9],
  [-26, -19, -14, -7], // G with the fifth above
];
/** Index of the voice plucked on each beat; -1 is a rest. */
const PATTERN = [0, 2, 3, 1, 2, 3, -1, 2] as const;

interface Tone {
  readonly atS: number;
  readonly frequencyHz: number;
  readonly level: number;
  readonly attackS: number;
  readonly decayS: number;
  readonly lengthS: number;
}

/** The built-in hold music: soft broken chords, a seamless loop of 24 seconds. */
export function holdMusic(): SoundLoop {
  const chordS = BEAT_S * BEATS_PER_CHORD;
  const sound = new Float64Array(chordS * CHORDS.length * RATE_HZ);
  for (const [index, chord] of CHORDS.entries()) {
    const atS = index * chordS;
    for (const note of chord) addTone(sound, pad(atS, note));
    for (const [beat, voice] of PATTERN.entries()) {
      const note = chord[voice];
      if (note !== undefined) addPluck(sound, atS + beat * BEAT_S, note + 12);
    }
  }
  return { sampleRateHz: RATE_HZ, pcm: levelled(sound) };
}

function pad(atS: number, note: number): Tone {
  const frequencyHz = frequencyOf(note);
  return { atS, frequencyHz, level: 0.22, attackS: 0.9, decayS: 1.6, lengthS: 5 };
}

function addPluck(sound: Float64Array, atS: number, note: number): void {
  const frequencyHz = frequencyOf(note);
  for (const [partial, level] of [0.5, 0.14, 0.05].entries()) {
    const decayS = 0.7 / (partial + 1);
    addTone(sound, {
      atS,
      frequencyHz: frequencyHz * (partial + 1),
      level,
      attackS: 0.012,
      decayS,
      lengthS: 4 * decayS,
    });
  }
}

// A tone that rings past the end of the loop continues at its beginning.
function addTone(sound: Float64Array, tone: Tone): void {
  const step = (2 * Math.PI * tone.frequencyHz) / RATE_HZ;
  const turn = 2 * Math.cos(step);
  const rise = 1 / (tone.attackS * RATE_HZ);
  const fall = Math.exp(-1 / (tone.decayS * RATE_HZ));
  const length = Math.round(tone.lengthS * RATE_HZ);
  const fade = Math.round(0.05 * RATE_HZ);
  let at = Math.round(tone.atS * RATE_HZ);
  let before = -Math.sin(step);
  let now = 0;
  let envelope = tone.level;
  for (let i = 0; i < length; i++) {
    const edge = Math.min(1, i * rise, (length - i) / fade);
    sound[at] = (sound[at] as number) + now * envelope * edge;
    const next = turn * now - before;
    before = now;
    now = next;
    if (i * rise >= 1) envelope *= fall;
    if (++at === sound.length) at = 0;
  }
}

function frequencyOf(semitonesFromA4: number): number {
  return 440 * 2 ** (semitonesFromA4 / 12);
}

function levelled(sound: Float64Array): Int16Array {
  const raw = Int16Array.from(sound, (value) => Math.round(value * 4000));
  const gain = 4000 * gainFromDb(LOOP_RMS_DB - rmsDb(raw));
  return Int16Array.from(sound, (value) =>
    Math.max(-32768, Math.min(32767, Math.round(value * gain))),
  );
}
