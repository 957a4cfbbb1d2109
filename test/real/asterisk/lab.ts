import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parseWav } from '../../../src/audio/parse-wav.ts';
import { bytesFromPcm16 } from '../../../src/audio/pcm16.ts';
import { createResampler } from '../../../src/audio/resampler.ts';
import { wavHeader } from '../../../src/audio/wav-header.ts';
import { Telephone } from './telephone.ts';

const run = promisify(execFile);

const HERE = import.meta.dirname;
const REPOSITORY = resolve(HERE, '../../..');
const SPOKEN = ['what-your-country-can-do', 'ask-what-you-can-do', 'seven-of-clubs'];
const START_MS = 30_000;
const RATE_HZ = 8000;

export type Side = 'exchange' | 'carrier';

/** Ports of one laboratory, from a base on. */
function portsFrom(base: number) {
  return {
    parley: base,
    ari: base + 1,
    tls: base + 2,
    exchangeSip: base + 10,
    carrierSip: base + 11,
    phone1: base + 12,
    phone2: base + 13,
    phone1Control: base + 14,
    phone2Control: base + 15,
    sipp: base + 16,
    exchangeRtp: base + 100,
    carrierRtp: base + 300,
    phoneRtp: base + 600,
  };
}

export type LabPorts = ReturnType<typeof portsFrom>;

export interface LabOptions {
  /** What the exchange and the carrier agree on. @defaultValue ulaw */
  readonly trunkCodecs?: string;
  /** @defaultValue plain WebSockets to the service's port */
  readonly mediaUrl?: string;
  /** Signs the certificate behind a `wss` address. */
  readonly certificateAuthority?: string;
  /** How long the colleague who says yes listens first, s. @defaultValue 12 */
  readonly colleagueWaits?: number;
}

/**
 * Two real Asterisks with a SIP trunk between them: the exchange is configured as `deploy/asterisk` says, the
 * carrier's dialplan holds the people. Both run in a folder of their own, as root of nothing else.
 */
export class Lab implements AsyncDisposable {
  readonly ports: LabPorts;
  readonly ariPassword = 'a-password-of-the-laboratory';
  /** Empty where Asterisk is installed on this machine itself. */
  readonly #root: string;
  readonly #options: LabOptions;
  readonly #processes = new Map<Side, ChildProcess>();
  readonly #telephones: Telephone[] = [];

  private constructor(root: string, basePort: number, options: LabOptions) {
    this.#root = root;
    this.ports = portsFrom(basePort);
    this.#options = options;
  }

  static async start(options: LabOptions = {}): Promise<Lab> {
    const root = process.env.ASTERISK_ROOT ?? '';
    const lab = new Lab(root, Number(process.env.ASTERISK_LAB_PORT ?? 21_000), options);
    await rm(lab.#path(), { recursive: true, force: true });
    await lab.#sounds();
    await lab.startSide('carrier');
    await lab.startSide('exchange');
    return lab;
  }

  /** Writes one side's configuration and starts it; resolves when it takes calls. */
  async startSide(side: Side): Promise<void> {
    await this.#configure(side);
    const [program, ...prefix] = this.#command('/usr/sbin/asterisk');
    const configuration = this.#inside(`${side}/etc/asterisk.conf`);
    const child = spawn(program, [...prefix, '-f', '-C', configuration, '-vvv'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = createWriteStream(this.#path(`${side}.out`));
    child.stdout.pipe(output);
    child.stderr.pipe(output);
    this.#processes.set(side, child);
    const deadline = Date.now() + START_MS;
    while (!(await this.#isBooted(side))) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`Asterisk (${side}) did not start: see ${this.#path(`${side}.out`)}`);
      await delay(200);
    }
  }

  /** Ends one side, in good order or at once. */
  async stopSide(side: Side, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#processes.get(side);
    this.#processes.delete(side);
    if (!child || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
    await exited;
    clearTimeout(timer);
  }

  /** What Asterisk's own console answers. */
  async cli(side: Side, command: string): Promise<string> {
    const [program, ...prefix] = this.#command('/usr/sbin/asterisk');
    const configuration = this.#inside(`${side}/etc/asterisk.conf`);
    const { stdout } = await run(program, [...prefix, '-C', configuration, '-rx', command]);
    return stdout;
  }

  /** Somebody calls the assistant's number and does what the carrier's dialplan says. */
  async call(what: string, from = '15005550177'): Promise<void> {
    await this.cli('carrier', `channel originate Local/${from}@call extension ${what}@callers`);
  }

  /** ARI as the service sees it. */
  async ari(method: string, path: string): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${this.ports.ari}/ari${path}`, {
      method,
      headers: { authorization: `Basic ${btoa(`parley:${this.ariPassword}`)}` },
    });
    const text = await answer.text();
    return text ? JSON.parse(text) : undefined;
  }

  /** Channels and bridges of the exchange. */
  async standing(): Promise<{ readonly channels: number; readonly bridges: number }> {
    const [channels, bridges] = await Promise.all([
      this.ari('GET', '/channels'),
      this.ari('GET', '/bridges'),
    ]);
    return {
      channels: (channels as unknown[]).length,
      bridges: (bridges as unknown[]).length,
    };
  }

  async telephone(which: 1 | 2): Promise<Telephone> {
    const { ports } = this;
    const folder = `phone${which}`;
    await mkdir(this.#path(folder), { recursive: true });
    const telephone = await Telephone.start({
      command: this.#command('/usr/bin/baresip'),
      folder: this.#path(folder),
      insideFolder: this.#inside(folder),
      sounds: this.#inside('sounds'),
      name: folder,
      sipPort: which === 1 ? ports.phone1 : ports.phone2,
      controlPort: which === 1 ? ports.phone1Control : ports.phone2Control,
      carrierPort: ports.carrierSip,
      rtpPort: ports.phoneRtp + 100 * (which - 1),
    });
    this.#telephones.push(telephone);
    return telephone;
  }

  /** Runs sipp against the exchange with a scenario of its own; resolves with its last words. */
  async sipp(scenario: string, calls: number, perSecond: number): Promise<string> {
    const { ports } = this;
    await writeFile(this.#path('scenario.xml'), scenario);
    const [program, ...prefix] = this.#command('/usr/bin/sipp');
    const args = ['-sf', this.#inside('scenario.xml'), '-i', '127.0.0.1', '-p', `${ports.sipp}`];
    const amount = ['-m', `${calls}`, '-l', `${calls}`, '-r', `${perSecond}`, '-nostdin'];
    const target = `127.0.0.1:${ports.exchangeSip}`;
    const { stdout } = await run(program, [
      ...prefix,
      ...args,
      ...amount,
      '-timeout',
      '60s',
      target,
    ]);
    return stdout;
  }

  /** What a party of the carrier's heard or said, once the call is over. */
  async recording(name: string, side: 'heard' | 'said'): Promise<Int16Array> {
    const bytes = await readFile(this.#path(`recordings/${name}-${side}.wav`));
    return parseWav(new Uint8Array(bytes)).channels[0];
  }

  async forgetRecordings(): Promise<void> {
    await rm(this.#path('recordings'), { recursive: true, force: true });
    await mkdir(this.#path('recordings'), { recursive: true });
  }

  /** Lines of the carrier's log that hold a text. */
  async carrierSaid(text: string): Promise<readonly string[]> {
    const log = await readFile(this.#path('carrier/state/log/messages'), 'utf8');
    return log.split('\n').filter((line) => line.includes(text));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const telephone of this.#telephones) await telephone.close();
    await this.stopSide('exchange', 'SIGKILL');
    await this.stopSide('carrier', 'SIGKILL');
  }

  async #configure(side: Side): Promise<void> {
    for (const folder of ['etc', 'state/log', 'state/run', 'state/spool'])
      await mkdir(this.#path(`${side}/${folder}`), { recursive: true });
    if (side === 'carrier') await this.#configureCarrier();
    else await this.#configureExchange();
  }

  /** By the script of `deploy/asterisk`, in the folder that Asterisk will see. */
  async #configureExchange(): Promise<void> {
    const { ports, ariPassword } = this;
    const { trunkCodecs = 'ulaw', mediaUrl, certificateAuthority } = this.#options;
    const scripts = this.#path('deploy');
    await mkdir(`${scripts}/conf`, { recursive: true });
    const from = join(REPOSITORY, 'deploy/asterisk');
    await copyFile(`${from}/configure.sh`, `${scripts}/configure.sh`);
    for (const file of await readdir(`${from}/conf`))
      await copyFile(`${from}/conf/${file}`, `${scripts}/conf/${file}`);
    if (certificateAuthority) await writeFile(this.#path('ca.pem'), certificateAuthority);
    const [program = '', ...args] = [
      ...this.#command('/bin/sh'),
      this.#inside('deploy/configure.sh'),
      this.#inside('exchange/etc'),
    ];
    await run(program, args, {
      env: {
        PATH: process.env.PATH,
        ARI_PASSWORD: ariPassword,
        ARI_PORT: `${ports.ari}`,
        PARLEY_MEDIA_URL: mediaUrl ?? `ws://127.0.0.1:${ports.parley}/media/asterisk`,
        ...(certificateAuthority ? { PARLEY_CA_FILE: this.#inside('ca.pem') } : {}),
        SIP_ADDRESS: '127.0.0.1',
        SIP_PORT: `${ports.exchangeSip}`,
        TRUNK_HOST: `127.0.0.1:${ports.carrierSip}`,
        TRUNK_CODECS: trunkCodecs,
        RTP_START: `${ports.exchangeRtp}`,
        RTP_END: `${ports.exchangeRtp + 190}`,
        STATE_DIR: this.#inside('exchange/state'),
      },
    });
  }

  async #configureCarrier(): Promise<void> {
    const { ports } = this;
    const values: Readonly<Record<string, string | number>> = {
      ETC: this.#inside('carrier/etc'),
      STATE: this.#inside('carrier/state'),
      MODULE_DIR: '/usr/lib/x86_64-linux-gnu/asterisk/modules',
      RECORDINGS: this.#inside('recordings'),
      SOUNDS: this.#inside('sounds'),
      SIP_PORT: ports.carrierSip,
      CUSTOMER_SIP_PORT: ports.exchangeSip,
      CODECS: this.#options.trunkCodecs ?? 'ulaw',
      PHONE1_PORT: ports.phone1,
      PHONE2_PORT: ports.phone2,
      RTP_START: ports.carrierRtp,
      RTP_END: ports.carrierRtp + 290,
      COLLEAGUE_WAITS: this.#options.colleagueWaits ?? 12,
    };
    for (const file of await readdir(join(HERE, 'carrier'))) {
      const text = await readFile(join(HERE, 'carrier', file), 'utf8');
      const filled = text.replace(/@([A-Z_0-9]+)@/g, (_all, name: string) => `${values[name]}`);
      await writeFile(this.#path(`carrier/etc/${file}`), filled);
    }
  }

  /** The recordings of `fixtures/audio` as a telephone has them, and a room in which nobody speaks. */
  async #sounds(): Promise<void> {
    await mkdir(this.#path('sounds'), { recursive: true });
    await this.forgetRecordings();
    const save = (name: string, pcm: Int16Array) => {
      const bytes = bytesFromPcm16(pcm);
      const header = wavHeader({ sampleRateHz: RATE_HZ, channels: 1, dataBytes: bytes.length });
      return writeFile(this.#path(`sounds/${name}.wav`), Buffer.concat([header, bytes]));
    };
    const narrow = (path: string) => readFile(path).then((file) => atTelephoneRate(file));
    // Seconds of a noise that no telephone line is without.
    let seed = 1;
    const room = (seconds: number) =>
      Int16Array.from({ length: RATE_HZ * seconds }, () => {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
        return (seed % 25) - 12;
      });
    await save('room', room(90));
    const saveSpoken = async (name: string, pcm: Int16Array) => {
      await save(name, pcm);
      // A telephone hangs up when its sound ends.
      await save(`${name}-then-room`, Int16Array.from([...pcm, ...room(60)]));
    };
    for (const name of SPOKEN)
      await saveSpoken(name, await narrow(join(REPOSITORY, `fixtures/audio/${name}.wav`)));
    const [program = '', ...prefix] = this.#command('/usr/bin/espeak-ng');
    const words = [
      '-s',
      '140',
      '-w',
      this.#inside('yes-wide.wav'),
      'Yes, please put them through.',
    ];
    await run(program, [...prefix, ...words]);
    await saveSpoken('yes', await narrow(this.#path('yes-wide.wav')));
  }

  async #isBooted(side: Side): Promise<boolean> {
    try {
      return (await this.cli(side, 'core waitfullybooted')).includes('booted');
    } catch {
      return false;
    }
  }

  #command(program: string): [string, ...string[]] {
    return this.#root === '' ? [program] : ['chroot', this.#root, program];
  }

  /** A path as the programs in the folder see it, and as this machine does. */
  #inside(path = ''): string {
    return join('/tmp/parley-lab', path);
  }

  #path(path = ''): string {
    return join(this.#root, this.#inside(path));
  }
}

function atTelephoneRate(file: Buffer): Int16Array {
  const { sampleRateHz, channels } = parseWav(new Uint8Array(file));
  const resampler = createResampler(sampleRateHz, RATE_HZ);
  try {
    return resampler.process(channels[0]).slice();
  } finally {
    resampler.close();
  }
}
