import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

interface TelephoneOptions {
  readonly command: readonly [string, ...string[]];
  readonly folder: string;
  readonly insideFolder: string;
  readonly sounds: string;
  readonly name: string;
  readonly sipPort: number;
  readonly controlPort: number;
  readonly carrierPort: number;
  readonly rtpPort: number;
}

const START_MS = 10_000;
const ANSWER_MS = 15_000;

/** A SIP telephone that somebody wrote who knows nothing of us: baresip, controlled over its control socket. */
export class Telephone {
  readonly #child: ChildProcess;
  readonly #sounds: string;
  readonly #carrierPort: number;
  readonly #events: string[] = [];
  readonly #socket: Socket;
  readonly #awaited = new Map<string, (answer: string) => void>();
  #received = Buffer.alloc(0);
  #commands = 0;

  private constructor(child: ChildProcess, socket: Socket, options: TelephoneOptions) {
    this.#child = child;
    this.#socket = socket;
    this.#sounds = options.sounds;
    this.#carrierPort = options.carrierPort;
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('error', () => undefined);
  }

  static async start(options: TelephoneOptions): Promise<Telephone> {
    const { folder, insideFolder, name, command } = options;
    await writeFile(`${folder}/config`, configuration(options));
    const account = `<sip:${name}@127.0.0.1:${options.carrierPort}>;regint=0;answermode=manual;audio_codecs=pcmu`;
    await writeFile(`${folder}/accounts`, `${account}\n`);
    await writeFile(`${folder}/contacts`, '');
    const [program, ...prefix] = command;
    const child = spawn(program, [...prefix, '-f', insideFolder], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = createWriteStream(`${folder}/out`);
    child.stdout.pipe(output);
    child.stderr.pipe(output);
    const deadline = Date.now() + START_MS;
    for (;;) {
      const socket = await connect(options.controlPort);
      if (socket) return new Telephone(child, socket, options);
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`${name} did not start: see ${folder}/out`);
      await delay(100);
    }
  }

  /** The types of what has happened, in order. */
  get events(): readonly string[] {
    return this.#events;
  }

  answer(): Promise<string> {
    return this.#do('accept');
  }

  hangup(): Promise<string> {
    return this.#do('hangup');
  }

  /** Calls the assistant's number through the carrier. */
  callAssistant(): Promise<string> {
    return this.#do('dial', `sip:assistant@127.0.0.1:${this.#carrierPort}`);
  }

  hold(): Promise<string> {
    return this.#do('hold');
  }

  resume(): Promise<string> {
    return this.#do('resume');
  }

  /** Speaks a sound of the laboratory, from now on. */
  say(sound: string): Promise<string> {
    return this.#do('ausrc', `aufile,${this.#sounds}/${sound}-then-room.wav`);
  }

  /** Its person is silent, in a room. */
  listen(): Promise<string> {
    return this.#do('ausrc', `aufile,${this.#sounds}/room.wav`);
  }

  async close(): Promise<void> {
    this.#socket.destroy();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }

  #do(command: string, params = ''): Promise<string> {
    const token = `${++this.#commands}`;
    const message = JSON.stringify({ command, params, token });
    this.#socket.write(`${Buffer.byteLength(message)}:${message},`);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`the telephone did not answer "${command}"${this.#ended()}`)),
        ANSWER_MS,
      );
      this.#awaited.set(token, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
    });
  }

  #ended(): string {
    const { exitCode, signalCode } = this.#child;
    return exitCode === null && signalCode === null
      ? ''
      : `: it ended by ${signalCode ?? exitCode}`;
  }

  /** Netstrings: a length, a colon, that many bytes, a comma. */
  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    for (;;) {
      const colon = this.#received.indexOf(':');
      if (colon < 0) return;
      const length = Number(this.#received.subarray(0, colon).toString());
      const end = colon + 1 + length;
      if (this.#received.length <= end) return;
      const text = this.#received.subarray(colon + 1, end).toString();
      this.#received = this.#received.subarray(end + 1);
      const message = JSON.parse(text) as { type?: string; token?: string; data?: string };
      if (message.token !== undefined) this.#awaited.get(message.token)?.(message.data ?? '');
      else if (message.type) this.#events.push(message.type);
    }
  }
}

function connect(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}

function configuration({ sipPort, controlPort, rtpPort, sounds }: TelephoneOptions) {
  return `${[
    'poll_method epoll',
    `sip_listen 127.0.0.1:${sipPort}`,
    'call_local_timeout 120',
    'call_max_calls 8',
    `audio_source aufile,${sounds}/room.wav`,
    // Nobody listens here. The players of baresip 1.1.0 that write a file may crash it: one that is closed before its
    // thread has started is not waited for, and the thread then runs on freed memory (modules/aufile/aufile_play.c).
    'audio_player aubridge,nobody',
    'ausrc_srate 8000',
    'auplay_srate 8000',
    'ausrc_channels 1',
    'auplay_channels 1',
    'audio_txmode poll',
    `rtp_ports ${rtpPort}-${rtpPort + 90}`,
    'rtp_timeout 0',
    'module_path /usr/lib/baresip/modules',
    'module g711.so',
    'module aufile.so',
    'module aubridge.so',
    'module_app account.so',
    'module_app menu.so',
    'module_app ctrl_tcp.so',
    'module_app contact.so',
    `ctrl_tcp_listen 127.0.0.1:${controlPort}`,
  ].join('\n')}\n`;
}
