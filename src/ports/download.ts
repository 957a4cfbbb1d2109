/** Bytes of a file, both ends included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** An address at which anybody may download a file for some time. */
export interface LinkOptions {
  readonly seconds: number;
  readonly contentType: string;
  /** The Content-Disposition of the download. */
  readonly disposition: string;
}
