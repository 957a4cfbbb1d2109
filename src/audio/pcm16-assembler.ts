import { pcm16FromBytes } from './pcm16.ts';

/** Reassembles PCM16 samples from a byte stream that may be cut anywhere, even inside a sample. */
export interface Pcm16Assembler {
  /** The samples that are complete so far; may be a view of `bytes`. */
  push(bytes: Uint8Array): Int16Array;
  /** 1 while half a sample waits for its second byte. */
  readonly pendingBytes: 0 | 1;
}

export function createPcm16Assembler(): Pcm16Assembler {
  let pending: number | undefined;
  return {
    get pendingBytes() {
      return pending === undefined ? 0 : 1;
    },
    push(bytes) {
      let whole = bytes;
      if (pending !== undefined && bytes.byteLength > 0) {
        whole = new Uint8Array(bytes.byteLength + 1);
        whole[0] = pending;
        whole.set(bytes, 1);
        pending = undefined;
      }
      if (whole.byteLength % 2 === 0) return pcm16FromBytes(whole);
      pending = whole[whole.byteLength - 1];
      return pcm16FromBytes(whole.subarray(0, whole.byteLength - 1));
    },
  };
}
