/** The vendors of one port that this service can use. */
export interface VendorList {
  /** Names of the registered adapters. */
  readonly names: readonly string[];
  /** Given to an assistant that names none: the first vendor with a key, else `offline`. */
  readonly defaultName: string;
  /** Primary language tags, such as `en`, of the vendors that know these and no others. */
  readonly languages?: Readonly<Record<string, readonly string[]>>;
  /** Voice names of the vendors that have these and no others. */
  readonly voices?: Readonly<Record<string, readonly string[]>>;
}

/** The vendors an assistant may name; given by the composition root, which knows the adapters and the keys. */
export interface VendorCatalogue {
  readonly llm: VendorList;
  readonly stt: VendorList;
  readonly tts: VendorList;
}
