import type { WebSocket } from 'ws';
import { SYSTEM_PROMPT } from '../../calls/vendor-script.ts';
import { createCallerInput, createCallerOutput, RATE_HZ } from './far-end.ts';
import type { AgentSession, InferenceExecutor, LiveKit } from './packages.ts';

/** How a session finds the end of a turn: as it does where nothing is set, with the other detector of voices, or with none. */
export type Kind = 'default' | 'silero-plugin' | 'stt';

export interface SessionSetup {
  readonly livekit: LiveKit;
  readonly kind: Kind;
  readonly vendors: Readonly<Record<'stt' | 'tts' | 'llm', string>>;
  /** Absent in a job of theirs, which has its own. */
  readonly inference?: InferenceExecutor;
  /** Of the plugin, loaded once in a process. */
  readonly vad?: object;
}

/** What the kind sets; all else is their default. */
function optionsOf({ kind, livekit, inference, vad }: SessionSetup): object {
  if (kind === 'stt') return { vad: null, turnHandling: { turnDetection: 'stt' } };
  const { TurnDetector } = livekit.agents.inference;
  return {
    // The default one, with the process that it would find in a job.
    ...(inference
      ? { turnHandling: { turnDetection: new TurnDetector({ executor: inference }) } }
      : {}),
    ...(kind === 'silero-plugin' ? { vad } : {}),
  };
}

/** What a caller's client says. */
interface Told {
  readonly type: 'start' | 'played' | 'cleared' | 'hangup';
  readonly mark?: string;
}

/** One call: an agent's session between a caller's socket and the vendors. Resolves when the caller has hung up. */
export async function holdCall(setup: SessionSetup, socket: WebSocket, id: string): Promise<void> {
  const { livekit, vendors } = setup;
  const input = createCallerInput(livekit);
  const output = createCallerOutput(livekit, socket);
  const over = Promise.withResolvers<void>();
  let session: AgentSession | undefined;
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) return input.push(data);
    const { type, mark } = JSON.parse(data.toString()) as Told;
    if (type === 'played') output.played(String(mark));
    if (type === 'hangup') over.resolve();
  });
  socket.on('close', () => over.resolve());
  socket.on('error', () => over.resolve());
  const { STT } = livekit.deepgram;
  const { TTS } = livekit.cartesia;
  const { LLM } = livekit.openai;
  try {
    session = new livekit.agents.voice.AgentSession({
      stt: new STT({ apiKey: 'k', baseUrl: vendors.stt.replace('http', 'ws') }),
      llm: new LLM({ apiKey: 'k', baseURL: vendors.llm, model: 'gpt-4.1-mini' }),
      tts: new TTS({ apiKey: 'k', baseUrl: vendors.tts, sampleRate: RATE_HZ }),
      ...optionsOf(setup),
    });
    session.input.audio = input;
    session.output.audio = output;
    const instructions = SYSTEM_PROMPT.replace('{{call.id}}', id).replace(/\{\{.*?\}\}/, '');
    await session.start({ agent: new livekit.agents.voice.Agent({ instructions }) });
    socket.send(JSON.stringify({ type: 'ready', callId: id }));
    await over.promise;
  } finally {
    await session?.close();
    await input.close();
    socket.close(1000);
  }
}
