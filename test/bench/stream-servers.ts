import { parentPort } from 'node:worker_threads';
import { startCartesiaEmulator } from '../support/cartesia-emulator.ts';
import { startChatEmulator } from '../support/chat-completions-emulator.ts';
import { startDeepgramSpeakEmulator } from '../support/deepgram-speak-emulator.ts';
import { startElevenLabsEmulator } from '../support/elevenlabs-emulator.ts';

/** The vendors' emulators on a thread of their own, so that their work is not counted. */
const chat = await startChatEmulator();
chat.script({ deltas: Array.from({ length: 400 }, (_, n) => ` token${n}`) });
const cartesia = await startCartesiaEmulator();
const elevenlabs = await startElevenLabsEmulator();
const deepgram = await startDeepgramSpeakEmulator();
parentPort?.postMessage({
  openai: chat.baseUrl,
  cartesia: cartesia.baseUrl,
  elevenlabs: elevenlabs.baseUrl,
  deepgram: deepgram.baseUrl,
});
