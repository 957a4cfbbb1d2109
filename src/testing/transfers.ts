/** A transfer that the assistant tried. */
export interface TriedTransfer {
  readonly to: string;
  /** `answered`, or why the caller came back; undefined: the call ended before. */
  readonly result: string | undefined;
  readonly atMs: number;
}

interface Line {
  readonly type?: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  readonly atMs: number;
}

/** The lines of a call's log that tell of transfers. */
export const TRANSFER_LINES = ['leg.dial', 'leg.bridge', 'leg.hangup'];

/** The transfers of a call by its log, in their order. Pure. */
export function transfersOf(lines: readonly Line[]): readonly TriedTransfer[] {
  return lines
    .filter(({ type }) => type === 'leg.dial')
    .map(({ data: { legId, to }, atMs }) => {
      const ended = lines.find(
        ({ type, data }) =>
          (type === 'leg.bridge' || type === 'leg.hangup') && data.legId === legId,
      );
      const result = ended?.type === 'leg.bridge' ? 'answered' : ended?.data.reason;
      return { to: String(to), result: typeof result === 'string' ? result : undefined, atMs };
    });
}
