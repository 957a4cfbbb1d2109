/**
 * One packet of a stream. `granule` is the time at the end of its page in the codec's units, or -1 if the page has
 * none.
 */
export interface OggPacket {
  readonly bytes: Uint8Array;
  readonly granule: number;
}

interface OggPage {
  readonly serial: number;
  readonly granule: number;
  /** Segment lengths; after a segment of 255 bytes the packet continues. */
  readonly lacing: Uint8Array;
  readonly bodyAt: number;
  readonly end: number;
}

const HEADER_BYTES = 27;

function pageAt(file: DataView, at: number): OggPage | undefined {
  if (at + HEADER_BYTES > file.byteLength || file.getUint32(at) !== 0x4f676753) return undefined;
  const bodyAt = at + HEADER_BYTES + file.getUint8(at + 26);
  if (bodyAt > file.byteLength) return undefined;
  const table = file.byteOffset + at + HEADER_BYTES;
  const lacing = new Uint8Array(file.buffer, table, bodyAt - at - HEADER_BYTES);
  const end = bodyAt + lacing.reduce((sum, length) => sum + length, 0);
  if (end > file.byteLength) return undefined;
  const granule = Number(file.getBigInt64(at + 6, true));
  return { serial: file.getUint32(at + 14, true), granule, lacing, bodyAt, end };
}

function* pagesOf(bytes: Uint8Array): Generator<OggPage> {
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; ; ) {
    const page = pageAt(file, at);
    if (!page) return;
    yield page;
    at = page.end;
  }
}

/** Yields the packets of the first stream in an Ogg file (RFC 3533), up to the first damaged or incomplete page. */
export function* oggPackets(bytes: Uint8Array): Generator<OggPacket> {
  let serial: number | undefined;
  let pieces: Uint8Array[] = [];
  for (const page of pagesOf(bytes)) {
    serial ??= page.serial;
    if (page.serial !== serial) continue;
    let at = page.bodyAt;
    for (const length of page.lacing) {
      pieces.push(bytes.subarray(at, at + length));
      at += length;
      if (length === 255) continue;
      yield { bytes: Buffer.concat(pieces), granule: page.granule };
      pieces = [];
    }
  }
}

/** The pages of an Ogg file up to and including the first that ends after `granule`. */
export function oggUntil(bytes: Uint8Array, granule: number): Uint8Array {
  for (const page of pagesOf(bytes)) if (page.granule > granule) return bytes.subarray(0, page.end);
  return bytes;
}
