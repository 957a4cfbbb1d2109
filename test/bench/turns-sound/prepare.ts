import { mixInto } from '../../../src/audio/mix.ts';
import type { Room } from '../../../src/testing/spoken/rooms.ts';
import { emulateSpeech } from '../../support/emulated-speech.ts';
import { RATE_HZ } from '../../support/sound-call.ts';
import type { Sounds } from '../../support/sound-scenarios.ts';
import { inARow, type Utterance } from '../../support/utterance.ts';
import { Random } from '../turns/random.ts';
import type { Script } from '../turns/script.ts';
import { soundOf } from './act-sound.ts';
import type { Speaker } from './speaker.ts';

/** Drafts that come to nothing take answers of the model too. */
const SPARE_REPLIES = 12;

export interface Makers {
  readonly speaker: Speaker;
  readonly sounds: Sounds;
}

/** A script with all its sound made, so that nothing has to be made while calls are held. */
export interface Prepared {
  readonly script: Script;
  /** What each act sounds like. */
  readonly acts: readonly Utterance[];
  readonly welcome: Utterance;
  /** What the model says, one answer after the other, and how it sounds. */
  readonly replies: readonly Utterance[];
  readonly texts: readonly string[];
  /** The assistant's: that of the emulator answers at once, an echo has to be a voice. */
  readonly voice: 'elevenlabs' | 'offline';
  readonly television: Room | undefined;
}

export async function prepare(script: Script, { speaker, sounds }: Makers): Promise<Prepared> {
  const random = new Random(script.seed);
  const acts: Utterance[] = [];
  for (const act of script.acts) acts.push(await soundOf(act, script, { speaker, sounds, random }));
  const texts = script.plan.replies.map(({ pieces = [] }) => pieces.join(' '));
  const voice = script.class === 'echo' ? 'offline' : 'elevenlabs';
  const spoken = async (text: string) =>
    voice === 'offline' ? speaker.utter(text) : emulated(text);
  const replies: Utterance[] = [];
  // Each piece is spoken by itself, as in a call: the same words may sound otherwise in a longer text.
  for (const { pieces = [] } of script.plan.replies) {
    const parts: Utterance[] = [];
    for (const piece of pieces) parts.push(await spoken(piece));
    replies.push(inARow(parts, 0, RATE_HZ));
  }
  const last = texts.at(-1) ?? 'All right.';
  return {
    script,
    acts,
    welcome: await spoken(welcomeOf(script)),
    replies,
    texts: [...texts, ...Array<string>(SPARE_REPLIES).fill(last)],
    voice,
    television: await televisionOf(script, speaker),
  };
}

export const welcomeOf = ({ settings }: Script): string => settings.welcome?.message ?? 'Hello.';

/** How long a reply sounds, ms. */
export const lengthOf = ({ pcm }: Utterance): number => (pcm.length * 1000) / RATE_HZ;

/** A text in the emulated voice, which speaks at an even pace. */
function emulated(text: string): Utterance {
  const { bytes, charMs } = emulateSpeech(text, 'pcm16', RATE_HZ);
  let chars = 0;
  const words = text.split(' ').map((word) => {
    const startMs = chars * charMs;
    chars += [...word].length + 1;
    return { text: word, startMs, endMs: (chars - 1) * charMs };
  });
  const pcm = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
  return { pcm, words, speechFromMs: 0, speechToMs: (pcm.length * 1000) / RATE_HZ };
}

async function televisionOf(
  { television, callerDb }: Script,
  speaker: Speaker,
): Promise<Room | undefined> {
  if (!television) return undefined;
  const text = television.sentences.slice(0, 12).join(' ');
  const loop = await speaker.speak(text, 'awb', callerDb - television.underDb);
  return (frame, fromSample) => {
    const at = fromSample % (loop.length - frame.length);
    mixInto(frame, loop.subarray(at, at + frame.length), 1);
  };
}
