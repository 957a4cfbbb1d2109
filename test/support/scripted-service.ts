import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { registerConsole } from '../../src/api/console.ts';
import { wavHeader } from '../../src/audio/wav-header.ts';
import { registerSocketServer } from '../../src/gateway/socket-server.ts';
import { MAX_FRAME_BYTES } from '../../src/gateway/web-protocol.ts';
import { registerWebSocket } from '../../src/gateway/web-socket.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { ScriptedSession, type SessionScript } from './scripted-session.ts';

export const SCRIPTED_KEY = 'scripted-key-0123456789';

interface Requested {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

/**
 * The few operations that the console and the call command use, and the real media socket, with scripted
 * sessions behind it. In real time.
 */
export class ScriptedService implements AsyncDisposable {
  readonly app: FastifyInstance = fastify();
  readonly requests: Requested[] = [];
  readonly sessions: ScriptedSession[] = [];
  readonly assistants = [{ _id: 'assistant-1', name: 'Scripted', welcomeMessage: '' }];
  /** The next request of this path is answered so. */
  refuse: { path: string; status: number; message: string } | undefined;
  url = '';
  readonly #script: SessionScript;
  readonly #tokens = new Map<string, string>();

  private constructor(script: SessionScript) {
    this.#script = script;
  }

  static async start(script: SessionScript): Promise<ScriptedService> {
    const service = new ScriptedService(script);
    await service.#build();
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    service.url = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
    return service;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.sessions) session.close();
    await this.app.close();
  }

  async #build(): Promise<void> {
    const { app } = this;
    await registerSocketServer(app, { maxFrameBytes: MAX_FRAME_BYTES });
    const noLog = () => {};
    registerWebSocket(app, {
      nodeId: 'node',
      clock: systemClock,
      log: { info: noLog, error: noLog },
      findTokenTeam: async (token) => (this.#tokens.has(token) ? 'team' : undefined),
      redeem: async (token) => {
        const callId = this.#tokens.get(token);
        if (callId === undefined) return { outcome: 'unknown' };
        this.#tokens.delete(token);
        return {
          outcome: 'accepted',
          callId,
          attach: (leg) => {
            const session = new ScriptedSession(leg, this.#script);
            this.sessions.push(session);
            return session.sink;
          },
        };
      },
    });
    app.get('/readyz', async () => ({ status: 'ready' }));
    app.get('/auth/v1/sign-in', async () => ({ state: 'signed-out' }));
    await registerConsole(app);
    await app.register(async (scope) => this.#api(scope));
  }

  #api(scope: FastifyInstance): void {
    scope.addHook('preHandler', async (request, reply) => {
      const { method, url, body } = request;
      this.requests.push({ method, url, body });
      if (request.headers.authorization !== `Bearer ${SCRIPTED_KEY}`) {
        return reply.code(401).send({ message: 'Unauthorized' });
      }
      if (this.refuse && url.startsWith(this.refuse.path)) {
        return reply.code(this.refuse.status).send({ message: this.refuse.message });
      }
      return undefined;
    });
    scope.get('/auth/v1/me', async () => ({
      teamId: 'team',
      teamName: 'Scripted',
      role: 'admin',
      apiKey: { id: 'key', name: 'Scripted' },
    }));
    scope.get('/assistants/v1/assistants', async () => this.assistants);
    scope.get<{ Params: { id: string } }>('/assistants/v1/assistants/:id', (request, reply) => {
      const found = this.assistants.find(({ _id }) => _id === request.params.id);
      return found ?? missing(reply, 'Assistant not found!');
    });
    scope.post<{ Body: { name: string } }>('/assistants/v1/assistants', (request, reply) => {
      const made = { welcomeMessage: '', ...request.body, _id: 'made-for-the-call' };
      this.assistants.push(made);
      return reply.code(201).send(made);
    });
    scope.delete<{ Params: { id: string } }>('/assistants/v1/assistants/:id', async (request) => {
      const index = this.assistants.findIndex(({ _id }) => _id === request.params.id);
      this.assistants.splice(index, 1);
      return { id: request.params.id };
    });
    scope.post('/kb/v1/knowledge-bases', (_request, reply) => reply.code(201).send({ id: 'kb-1' }));
    scope.post('/kb/v1/knowledge-bases/:id/faq-template', async (request) => request.body);
    scope.delete('/kb/v1/knowledge-bases/:id', async () => ({ message: 'deleted' }));
    this.#calls(scope, '/calls/v1/conversations');
  }

  #calls(scope: FastifyInstance, path: string): void {
    scope.post(`${path}/connect`, (_request, reply) => {
      const token = randomBytes(12).toString('base64url');
      const id = `WC-${this.#tokens.size}`;
      this.#tokens.set(token, id);
      const webCall = { url: `${this.url.replace('http', 'ws')}/media/web/${token}`, token };
      return reply.code(201).send({ id, status: 'queued', webCall });
    });
    scope.get<{ Params: { id: string } }>(`${path}/:id`, async (request) => ({
      id: request.params.id,
      status: this.sessions.at(-1)?.ended ? 'finished' : 'ongoing',
      endReason: this.sessions.at(-1)?.ended,
      metrics: [{ turn: 1, endpointMs: 200, modelMs: 210, voiceMs: 215, totalMs: 216 }],
      messages: [],
      recording: { durationMs: 0 },
    }));
    scope.get(`${path}/:id/transcript`, (_request, reply) =>
      reply.type('text/plain').send('hello\n'),
    );
    scope.get(`${path}/:id/events`, (_request, reply) => reply.send('{"seq":1}\n'));
    scope.get(`${path}/:id/recording`, (_request, reply) =>
      reply.send(Buffer.from(wavHeader({ sampleRateHz: 16_000, channels: 2, dataBytes: 0 }))),
    );
  }
}

function missing(reply: FastifyReply, message: string): FastifyReply {
  return reply.code(404).send({ message });
}
