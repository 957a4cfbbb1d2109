import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Nobody has it: what is sent there is lost without a word, as in a network that is cut. */
const NOWHERE = '02:00:00:00:00:ff';
/** The machine of the test itself. */
export const TESTER = 'tester';

/** Why there can be no machines of their own here; empty where there can. */
export function whyNoMachines(): string {
  if (process.platform !== 'linux') return ': networks of their own are made with Linux';
  if (process.getuid?.() !== 0) return ': networks of their own need root';
  try {
    for (const program of ['ip', 'unshare', 'setpriv'])
      execFileSync(program, ['-V'], { stdio: 'ignore' });
    const probe = `parley-probe-${process.pid}`;
    execFileSync('ip', ['netns', 'add', probe], { stdio: 'ignore' });
    execFileSync('ip', ['netns', 'del', probe], { stdio: 'ignore' });
    return '';
  } catch {
    return ': networks of their own need `ip`, `unshare` and `setpriv`, and the right to use them';
  }
}

/**
 * Machines on a network of their own, as far as services can tell: each has its addresses and its process ids. Packets
 * can be lost between any two, one way or both.
 */
export class Machines implements AsyncDisposable {
  readonly #names: readonly string[];
  readonly #mark = process.pid % 65_536;
  readonly #bridge = `pb${this.#mark}`;

  private constructor(names: readonly string[]) {
    this.#names = names;
  }

  static async start(names: readonly string[]): Promise<Machines> {
    const machines = new Machines([TESTER, ...names]);
    try {
      await machines.#build();
      return machines;
    } catch (error) {
      await machines[Symbol.asyncDispose]();
      throw error;
    }
  }

  address(name: string): string {
    return `10.98.${this.#mark % 256}.${this.#place(name)}`;
  }

  /** Command and arguments that start another command on the machine. */
  on(name: string): readonly string[] {
    return [...this.#in(name), 'unshare', '--pid', '--fork', '--kill-child'];
  }

  /** The same in the machine's network alone, for what needs no process ids of its own. */
  inNetworkOf(name: string): readonly string[] {
    return this.#in(name);
  }

  /** Packets from one to the other are lost from now on. */
  async lose(from: string, to: string): Promise<void> {
    await this.#send(from, to, NOWHERE);
  }

  /** Packets between them are lost from now on, both ways. */
  async cut(one: string, others: readonly string[] = this.#names): Promise<void> {
    for (const other of others.filter((name) => name !== one)) {
      await this.lose(one, other);
      await this.lose(other, one);
    }
  }

  /** All packets arrive again. */
  async heal(): Promise<void> {
    for (const from of this.#names)
      for (const to of this.#names) if (from !== to) await this.#send(from, to, this.#card(to));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of this.#names)
      if (name !== TESTER) await run('ip', ['netns', 'del', this.#space(name)]).catch(() => {});
    await run('ip', ['link', 'del', this.#bridge]).catch(() => {});
  }

  async #build(): Promise<void> {
    await run('ip', ['link', 'add', this.#bridge, 'address', this.#card(TESTER), 'type', 'bridge']);
    await run('ip', ['addr', 'add', `${this.address(TESTER)}/24`, 'dev', this.#bridge]);
    await run('ip', ['link', 'set', this.#bridge, 'up']);
    for (const name of this.#names) {
      if (name === TESTER) continue;
      const [space, port] = [this.#space(name), `pv${this.#mark}x${this.#place(name)}`];
      await run('ip', ['netns', 'add', space]);
      const card = ['name', 'eth0', 'address', this.#card(name), 'netns', space];
      await run('ip', ['link', 'add', port, 'type', 'veth', 'peer', ...card]);
      await run('ip', ['link', 'set', port, 'master', this.#bridge, 'up']);
      await run('ip', ['-n', space, 'addr', 'add', `${this.address(name)}/24`, 'dev', 'eth0']);
      for (const one of ['lo', 'eth0']) await run('ip', ['-n', space, 'link', 'set', one, 'up']);
    }
    // Nobody asks the network for an address any more: a cut is known to the sender alone.
    await this.heal();
  }

  async #send(from: string, to: string, card: string): Promise<void> {
    const [space, device] =
      from === TESTER ? [[], this.#bridge] : [['-n', this.#space(from)], 'eth0'];
    const entry = [this.address(to), 'lladdr', card, 'dev', device, 'nud', 'permanent'];
    await run('ip', [...space, 'neigh', 'replace', ...entry]);
  }

  #in(name: string): readonly string[] {
    return name === TESTER ? [] : ['ip', 'netns', 'exec', this.#space(name)];
  }

  #place(name: string): number {
    const place = this.#names.indexOf(name);
    if (place < 0) throw new Error(`there is no machine ${name}`);
    return place + 1;
  }

  #space = (name: string): string => `parley-${this.#mark}-${name}`;

  #card = (name: string): string => `02:62:00:00:00:${String(this.#place(name)).padStart(2, '0')}`;
}
